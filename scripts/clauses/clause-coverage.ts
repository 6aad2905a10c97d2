import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isTest, walk } from '../../packages/cli/src/run/source-files.ts'
import { type Citation, citedClauses } from './cited-clauses.ts'

interface Clause {
  id: string
  area: string
  text: string
}

interface Area {
  name: string
  total: number
  ids: string[]
  uncovered: Clause[]
}

export interface Coverage {
  areas: Area[]
  /**
   * Why the check fails: cited clauses that don't exist, and gaps in an area that counts as done.
   */
  errors: string[]
}

const specification = join('docs', 'specification')

/** Compares the clauses of the specification with the titles of the repository's tests. */
export function coverage(root: string): Coverage {
  const clauses = readClauses(join(root, specification, 'clauses.tsv'))
  const citations = walk(root)
    .filter(({ path, isFolder }) => !isFolder && isTest(path))
    .flatMap(({ path }) => citedClauses(path, readFileSync(join(root, path), 'utf8')))
  const cited = new Set(citations.map(({ id }) => id))

  const names = [...new Set(clauses.map(({ area }) => area))].toSorted()
  const areas = names.map((name) => {
    const own = clauses.filter(({ area }) => area === name)
    const uncovered = own.filter(({ id }) => !cited.has(id))
    return { name, total: own.length, ids: own.map(({ id }) => id), uncovered }
  })
  const done = readLines(join(root, specification, 'areas-done.txt'))
  return { areas, errors: [...unknown(citations, clauses), ...gaps(areas, done)] }
}

interface Shown {
  list: boolean
  areas: string[]
  /** Clauses whose tests were all skipped, if that is known. */
  skipped?: string[]
}

export function report({ areas, errors }: Coverage, shown: Shown) {
  const chosen = areas.filter(({ name }) => shown.areas.length === 0 || shown.areas.includes(name))
  const lines = chosen.flatMap(({ name, total, uncovered }) => [
    `${name.padEnd(18)} ${total - uncovered.length}/${total}`,
    ...(shown.list ? uncovered.map(({ id, text }) => `    ${id} ${text}`) : []),
  ])
  const total = chosen.reduce((sum, area) => sum + area.total, 0)
  const uncovered = chosen.reduce((sum, area) => sum + area.uncovered.length, 0)
  const counted = `${total - uncovered}/${total} clauses cited by a test`
  const own = new Set(chosen.flatMap(({ ids }) => ids))
  const skipped = shown.skipped?.filter((id) => own.has(id)) ?? []
  const apart = skipped.length > 0 ? [skippedLine(skipped)] : []
  return [...lines, counted, ...apart, ...errors].join('\n')
}

function skippedLine(ids: string[]) {
  return `${ids.length} of them were not tested: the last whole run skipped all tests of ${ids.join(', ')}`
}

function unknown(citations: Citation[], clauses: Clause[]) {
  const known = new Set(clauses.map(({ id }) => id))
  return citations
    .filter(({ id }) => !known.has(id))
    .map(({ id, path, line }) => `${path}:${line}: cites ${id}, which is no clause`)
}

function gaps(areas: Area[], done: string[]) {
  return done.flatMap((name) => {
    const area = areas.find((each) => each.name === name)
    if (area === undefined) return [`areas-done.txt names ${name}, which is no area`]
    return area.uncovered.map(
      ({ id, text }) => `${name} is called done, but no test cites ${id}: ${text}`,
    )
  })
}

function readClauses(path: string): Clause[] {
  return readLines(path).map((each) => {
    const [id = '', area = '', text = ''] = each.split('\t')
    return { id, area, text }
  })
}

function readLines(path: string) {
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((each) => each.trim() !== '' && !each.startsWith('#'))
}
