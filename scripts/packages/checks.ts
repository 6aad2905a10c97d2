type Command = [program: string, ...args: string[]]

/** The checks of a package, for its folder or its tarball. */
export function packageChecks(path: string): Command[] {
  // Every way to import it must lead to types, which must match the code that runs. A style sheet
  // has none.
  const types = ['--profile', 'esm-only', '--exclude-entrypoints', './account.css']
  return [
    ['publint', 'run', path, '--strict'],
    ['attw', ...(path.endsWith('.tgz') ? [] : ['--pack']), path, ...types],
  ]
}
