import { spawnSync } from 'node:child_process'

/** The code that a result is of. */
export interface Source {
  /** Null where there was no git, or no repository. */
  commit: string | null
  /**
   * Whether it was that commit and nothing else. A result from before this was kept has `not noted`: its commit is the
   * parent of the one that brought the result.
   */
  tree: 'as committed' | 'changed' | 'not noted'
}

/** What git prints; null where it fails, or is not installed. */
export function git(root: string, ...args: string[]) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

// What benches write themselves, and what is never run.
const notRun = ['bench/results', '*.md'].map((path) => `:(exclude)${path}`)

export function sourceOf(root: string): Source {
  const commit = git(root, 'rev-parse', '--verify', 'HEAD')
  const changed = git(root, 'status', '--porcelain', '--', '.', ...notRun)
  if (commit === null || changed === null) return { commit: null, tree: 'not noted' }
  return { commit, tree: changed === '' ? 'as committed' : 'changed' }
}
