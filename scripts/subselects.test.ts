import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const folders = ['packages', 'apps', 'examples'].map((name) => `${name}/**/*.ts`)

/** An expression for a selected field: a condition has no type. */
const field = /\bsql<[^`]*?>`(?<text>(?:[^`\\]|\\.)*)`/gu
const column = /\$\{\w+\.\w+\}/u

function mixedUp(source: string) {
  return [...source.matchAll(field)]
    .map(({ groups }) => groups?.['text'] ?? '')
    .filter((text) => /\bselect\b/iu.test(text) && column.test(text))
}

/**
 * In a statement on one table, Drizzle leaves out the table of a selected column. In a subselect, `organization_id` is
 * then the subselect's own column, which is compared with itself.
 */
it('a subselect that is selected writes out the columns of the table around it', () => {
  const files = execFileSync('git', ['ls-files', '--', ...folders], { cwd: root })
  const found = files
    .toString()
    .trim()
    .split('\n')
    .flatMap((file) =>
      mixedUp(readFileSync(join(root, file), 'utf8')).map((text) => `${file}: ${text}`),
    )
  expect(found).toEqual([])
})

it('finds one that does not', () => {
  const source =
    'const all = sql<string[]>`(select array_agg(p) from r where r.id = ${members.id})`'
  expect(mixedUp(source)).toHaveLength(1)
  expect(mixedUp(source.replace('${members.id}', 's.members.id'))).toEqual([])
  expect(mixedUp('sql<string>`left(${members.name}, 10)`')).toEqual([])
})
