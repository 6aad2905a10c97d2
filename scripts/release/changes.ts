import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The headings of Keep a Changelog, in its order. */
export const kinds = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'] as const
export type Kind = (typeof kinds)[number]

export interface Change {
  file: string
  kind: Kind
  isBreaking: boolean
  text: string
}

const form = `Its first line is the kind: ${kinds.join(', ')}, with ", breaking" after it where that is so. An empty line follows, then what a user reads.`

/** The changes since the last release: each has a file in `changes/`. */
export function readChanges(root: string): Change[] {
  const folder = join(root, 'changes')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .toSorted()
    .map((name) => readChange(`changes/${name}`, readFileSync(join(folder, name), 'utf8')))
}

function readChange(file: string, whole: string): Change {
  const [, named, breaking, text = ''] = /^(\w+)(, breaking)?\n\n([^]*)$/.exec(whole) ?? []
  const kind = kinds.find((each) => each === named)
  if (kind === undefined || text.trim() === '') throw new Error(`${file}: ${form}`)
  return { file, kind, isBreaking: breaking !== undefined, text: text.trim() }
}
