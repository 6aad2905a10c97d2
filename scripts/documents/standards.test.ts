import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const pages = ['standards.md', 'mcp-authorization.md', 'mcp-tasks.md']

/** `the title of a test` in [its file](…). */
const named = /`([^`]+)` in \[[^\]]+\]\(([^)]+)\)/g

/** The rows of all tables of a page, each as its cells. */
const rowsIn = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| Section |'))
    .map((line) => line.replace(/^\| | \|$/g, '').split(' | '))

describe.each(pages)('%s', (name) => {
  const page = new URL(`../../docs/reference/${name}`, import.meta.url)
  const text = readFileSync(page, 'utf8')
  const rows = rowsIn(text)

  it('names only tests that exist, by their titles', () => {
    const tests = [...text.matchAll(named)]
    expect(tests.length).toBeGreaterThan(0)
    const missing = tests.filter(([, title = '', path = '']) => {
      const file = new URL(path, page)
      return !existsSync(file) || !readFileSync(file, 'utf8').includes(`'${title}'`)
    })
    expect(missing.map(([test]) => test)).toEqual([])
  })

  it('has a test or a reason for every requirement', () => {
    expect(rows.length).toBeGreaterThan(0)
    const without = rows.filter((cells) => {
      const answer = cells.at(-1) ?? ''
      return !new RegExp(named.source).test(answer) && !/^(?:does not apply: |.+\]\()/.test(answer)
    })
    expect(without).toEqual([])
  })

  it('has the same cells in every row, and requires something in each', () => {
    expect(new Set(rows.map(({ length }) => length)).size).toBe(1)
    expect(rows.filter((cells) => (cells.at(-2) ?? '') === '')).toEqual([])
  })
})

it.each([
  ['mcp-authorization.md', ['both', '2026-07-28']],
  ['mcp-tasks.md', ['2026-07-28', '2025-11-25']],
])('%s says of each row in which revisions it is', (name, expected) => {
  const text = readFileSync(new URL(`../../docs/reference/${name}`, import.meta.url), 'utf8')
  const rows = rowsIn(text)
  const revisions = new Set(rows.map(([, revision]) => revision))
  expect(revisions).toEqual(new Set(expected))
  for (const cells of rows) expect(cells[2], cells[2]).toMatch(/MUST/)
})
