type Command = [program: string, ...args: string[]]

/** What a package must pass, as the folder that it is packed from or as the tarball. */
export function packageChecks(path: string): Command[] {
  // Every way that a program may import it leads to types, and to those of what it runs. A style sheet has none.
  const types = ['--profile', 'esm-only', '--exclude-entrypoints', './account.css']
  return [
    ['publint', 'run', path, '--strict'],
    ['attw', ...(path.endsWith('.tgz') ? [] : ['--pack']), path, ...types],
  ]
}
