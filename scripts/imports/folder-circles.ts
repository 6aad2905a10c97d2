import { posix } from 'node:path'
import { shortestCycle } from './cycles.ts'
import { isShipped, placeOf } from './place-of.ts'
import type { SourceFile } from './read-source.ts'
import type { Refusal } from './refusal.ts'

interface Arrow {
  path: string
  line: number
  target: string
}

/**
 * At every depth, the contents of a folder of these packages must have an order. Tests may import
 * everything.
 */
export function folderCircles(files: SourceFile[], packages: readonly string[]): Refusal[] {
  const arrows = files
    .filter((file) => isShipped(file) && packages.includes(placeOf(file.path)?.name ?? ''))
    .flatMap(({ path, imports }) =>
      imports.flatMap(({ target, line }) => (target === null ? [] : [{ path, line, target }])),
    )
  const folders = new Set(arrows.flatMap(({ path }) => foldersAbove(path)))
  return [...folders].flatMap((folder) => circlesIn(folder, arrows))
}

function foldersAbove(path: string): string[] {
  const folder = posix.dirname(path)
  return placeOf(path) ? [folder, ...foldersAbove(folder)] : []
}

function circlesIn(folder: string, arrows: Arrow[]): Refusal[] {
  const inside = (path: string) => path.startsWith(`${folder}/`)
  const child = (path: string) => path.slice(folder.length + 1).split('/')[0] ?? ''
  const own = arrows
    .filter(({ path, target }) => inside(path) && inside(target))
    .map((arrow) => ({ ...arrow, from: child(arrow.path), to: child(arrow.target) }))
    .filter(({ from, to }) => from !== to)
  const targets = Map.groupBy(own, ({ from }) => from)
  const told = new Set<string>()
  return own.flatMap(({ path, line, from, to }) => {
    if (told.has(from)) return []
    const circle = shortestCycle(from, named(targets))
    // Circles of files alone are checked by the rule for cycles.
    if (circle?.[1] !== to || circle.every((name) => name.includes('.'))) return []
    for (const each of circle) told.add(each)
    const rule = `a circle in ${folder}: ${circle.join(' → ')}. Move what two of them need into one that imports neither`
    return [{ path, line, rule }]
  })
}

function named(targets: Map<string, { to: string }[]>) {
  return new Map([...targets].map(([from, list]) => [from, list.map(({ to }) => to)]))
}
