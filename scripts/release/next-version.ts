import type { Change, Kind } from './changes.ts'

const inPatches: readonly Kind[] = ['Fixed', 'Security']

/**
 * The promise of UPGRADING.md: a security fix is a patch release, and before 1.0 a minor version
 * may break.
 */
export function nextVersion(current: string, changes: readonly Change[]) {
  const [major = 0, minor = 0, patch = 0] = current.split('.').map(Number)
  const breaks = changes.some(({ kind, isBreaking }) => isBreaking && kind !== 'Security')
  if (breaks && major > 0) return `${major + 1}.0.0`
  const isMinor = breaks || changes.some(({ kind }) => !inPatches.includes(kind))
  return isMinor ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`
}
