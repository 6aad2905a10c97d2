import { versionsOf } from '../../scripts/release/changelog.ts'
import type { Result } from './result.ts'
import { git } from './source.ts'

export interface Age {
  /** How many commits since have changed what it measures. */
  commits: number
  /** The versions released since, with code that it has not measured. */
  releases: string[]
}

/** How far a result is behind the code that it measures; null if this clone does not know. */
export function ageOf(
  root: string,
  { source, machine }: Pick<Result, 'source' | 'machine'>,
  measures: string[],
): Age | null {
  const base = baseOf(root, source.commit, machine.date)
  if (base === null) return null
  const paths = ['--', ...measures, ...notMeasured]
  const changesUntil = (commit: string) =>
    Number(git(root, 'rev-list', '--count', `${base}..${commit}`, ...paths))
  const releases = releasesSince(root, base)
    .filter(({ commit }) => changesUntil(commit) > 0)
    .map(({ version }) => version)
  return { commits: changesUntil('HEAD'), releases }
}

const notMeasured = ['*.test.ts', '*.test-d.ts', '**/test-*.ts'].map(
  (path) => `:(exclude,glob)**/${path}`,
)

/**
 * The commit to compare a result with. If history was rewritten, its own is missing. Then it is the
 * last one of its day, and changes of that day count as measured.
 */
function baseOf(root: string, commit: string | null, date: string) {
  const isShallow = git(root, 'rev-parse', '--is-shallow-repository') === 'true'
  const isKnown =
    commit !== null && git(root, 'merge-base', '--is-ancestor', commit, 'HEAD') !== null
  if (isKnown) return isShallow && hasCut(root, commit) ? null : commit
  // A missing commit may have been cut off, and its day with it.
  return isShallow
    ? null
    : git(root, 'rev-list', '-1', `--before=${date}T23:59:59Z`, 'HEAD') || null
}

/** A commit at the edge of a shallow clone has no parent, so it seems to add every file. */
function hasCut(root: string, base: string) {
  return git(root, 'rev-list', '--max-parents=0', `${base}..HEAD`) !== ''
}

/** Found by the headings of the changelog, because a clone may have no tags. */
function releasesSince(root: string, base: string) {
  const versionsAt = (commit: string) =>
    versionsOf(git(root, 'show', `${commit}:CHANGELOG.md`) ?? '')
  const before = new Set(versionsAt(base))
  return versionsAt('HEAD')
    .filter((version) => !before.has(version))
    .map((version) => ({ version, commit: releaseCommit(root, base, version) }))
    .filter((release): release is { version: string; commit: string } => release.commit !== null)
    .toReversed()
}

function releaseCommit(root: string, base: string, version: string) {
  const heading = `-S^## ${version.replaceAll('.', '\\.')}( |$)`
  const search = ['log', '-1', '--first-parent', '-m', '--format=%H', '--pickaxe-regex', heading]
  return git(root, ...search, `${base}..HEAD`, '--', 'CHANGELOG.md') || null
}
