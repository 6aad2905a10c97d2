import type { SourceFile } from './read-source.ts'
import type { Refusal } from './refusal.ts'

/**
 * No cycle between files. A type-only import counts: the compiler erases it, but the two files
 * still cannot be read, moved or tested apart.
 */
export function cycles(files: SourceFile[]): Refusal[] {
  const targets = new Map(
    files.map(({ path, imports }) => [path, imports.flatMap(({ target }) => target ?? [])]),
  )
  const told = new Set<string>()
  return files.flatMap(({ path, imports }) => {
    if (told.has(path)) return []
    const cycle = shortestCycle(path, targets)
    if (cycle === null) return []
    for (const each of cycle) told.add(each)
    const line = imports.find(({ target }) => target === cycle[1])?.line ?? 1
    return [{ path, line, rule: `an import cycle: ${cycle.join(' → ')}` }]
  })
}

/** Breadth first from a file back to itself. */
export function shortestCycle(start: string, targets: Map<string, string[]>) {
  const seen = new Set<string>()
  let paths = [[start]]
  while (paths.length > 0) {
    const longer = paths.flatMap((path) =>
      (targets.get(path.at(-1) ?? start) ?? []).map((target) => [...path, target]),
    )
    const cycle = longer.find((path) => path.at(-1) === start)
    if (cycle) return cycle
    paths = longer.filter((path) => {
      const end = path.at(-1) ?? start
      const isNew = !seen.has(end)
      seen.add(end)
      return isNew
    })
  }
  return null
}
