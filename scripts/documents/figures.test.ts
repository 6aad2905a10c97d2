import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { benches } from '../../bench/benches.ts'
import { keptResults, reported } from '../../bench/harness/report.ts'
import { sourceRow } from '../../bench/harness/sources.ts'

const root = resolve(import.meta.dirname, '../..')
const results = keptResults()

it.each(reported(results))('$path has the figures of the kept results', ({ is, should }) => {
  // `npm run bench report` writes them.
  expect(is).toBe(should)
})

it.each(results)('docs/performance.md says where the figures of $name come from', (result) => {
  const page = readFileSync(join(root, 'docs/performance.md'), 'utf8')
  expect(page).toContain(`\n| ${sourceRow(result).join(' | ')} | `)
})

describe('what a bench measures', () => {
  it('is said of each', () => {
    const silent = Object.entries(benches).filter(([, { measures }]) => measures.length === 0)
    expect(silent).toEqual([])
    expect(results.map(({ name }) => name).filter((name) => !benches[name])).toEqual([])
  })

  it.each(Object.entries(benches))('is there: %s', (_, { measures }) => {
    expect(measures.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })
})
