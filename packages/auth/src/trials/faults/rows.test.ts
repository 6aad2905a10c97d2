import { existsSync, globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../../../../..')
const rows = [...Array.from({ length: 28 }, (_, index) => `F${index + 1}`), 'F30']
const table = readFileSync(resolve(root, 'docs/reference/faults.md'), 'utf8')

/** The rows that titles of tests name. */
function namedRows() {
  const texts = globSync('packages/*/src/**/*.test.ts', { cwd: root }).map((path) =>
    readFileSync(resolve(root, path), 'utf8'),
  )
  const titles = texts.flatMap((text) => text.match(/['`(][^'`\n]*\bF\d+\b[^\n]*['`]/g) ?? [])
  return new Set(titles.flatMap((title) => title.match(/\bF\d+\b/g) ?? []))
}

it('names every kind of fault in the title of a test, and in the reference', () => {
  const named = namedRows()
  expect(rows.filter((row) => !named.has(row))).toEqual([])
  expect(rows.filter((row) => !table.includes(`| ${row} |`))).toEqual([])
})

it('says where each is held, in files that are there', () => {
  const paths = [...table.matchAll(/`(packages\/[^`]+\.ts)`/g)].map(([, path = '']) => path)
  expect(paths.length).toBeGreaterThan(rows.length)
  expect(paths.filter((path) => !existsSync(resolve(root, path)))).toEqual([])
})
