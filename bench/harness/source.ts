import { spawnSync } from 'node:child_process'

/** The code of a result. */
export interface Source {
  /** Null if there was no git, or no repository. */
  commit: string | null
  /**
   * Whether it was exactly that commit. An older result has `not noted`: its commit is the parent
   * of the one that added the result.
   */
  tree: 'as committed' | 'changed' | 'not noted'
}

/** The output of git; null if it fails, or is not installed. */
export function git(root: string, ...args: string[]) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

// Files that benches write themselves, and files that never run.
const notRun = ['bench/results', '*.md'].map((path) => `:(exclude)${path}`)

export function sourceOf(root: string): Source {
  const commit = git(root, 'rev-parse', '--verify', 'HEAD')
  const changed = git(root, 'status', '--porcelain', '--', '.', ...notRun)
  if (commit === null || changed === null) return { commit: null, tree: 'not noted' }
  return { commit, tree: changed === '' ? 'as committed' : 'changed' }
}
