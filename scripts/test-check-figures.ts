import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { runCommand } from '../packages/cli/src/run/run-command.ts'
import { temporaryTree } from './temporary-tree.ts'

export const command = resolve(import.meta.dirname, 'check-figures.ts')
// What `bench/benches.ts` says of `types`.
export const measured = 'packages/core/src/schema/schema.ts'

// A hook of git that runs the tests must not lead these commands to its own repository.
const outside = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))
export const env = { ...Object.fromEntries(outside), NO_COLOR: '1' }

export function write(root: string, path: string, text: string) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

export async function git(root: string, ...args: string[]) {
  const author = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost']
  const { passed, output } = await runCommand(['git', ...author, ...args], { cwd: root, env })
  if (!passed) throw new Error(output)
  return output.trim()
}

/** A repository in which a day passes from commit to commit. */
export async function repository() {
  const root = temporaryTree()
  await git(root, 'init', '--quiet')
  let day = 0
  const versions: string[] = []

  async function commit(path: string, text: string) {
    write(root, path, text)
    day += 1
    const date = `2026-01-${String(day).padStart(2, '0')}T12:00:00Z`
    await git(root, 'add', '.')
    const dated = { cwd: root, env: { ...env, GIT_COMMITTER_DATE: date } }
    const author = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost']
    await runCommand(['git', ...author, 'commit', '--quiet', `--message=${path}`], dated)
    return { commit: await git(root, 'rev-parse', 'HEAD'), date: date.slice(0, 10) }
  }

  return {
    root,
    change: (text: string) => commit(measured, text),
    changeElsewhere: (text: string) => commit('packages/web/src/page.ts', text),
    release: (version: string) => {
      versions.unshift(`## ${version} - 2026-01-01\n`)
      return commit('CHANGELOG.md', `# Changelog\n\n${versions.join('\n')}`)
    },
    keep: (made: { commit: string | null; date: string }) => {
      const source = { commit: made.commit, tree: 'as committed' }
      const result = { name: 'types', machine: { date: made.date }, source }
      return commit('bench/results/types.json', JSON.stringify(result))
    },
  }
}

export const check = (root: string, ...args: string[]) =>
  runCommand([process.execPath, command, ...args], { cwd: root, env })
