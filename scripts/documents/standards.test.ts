import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const page = new URL('../../docs/reference/standards.md', import.meta.url)
const rows = readFileSync(page, 'utf8')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))

/** `the title of a test` in [its file](…). */
const named = /`([^`]+)` in \[[^\]]+\]\(([^)]+)\)/g

it('names only tests that exist, by their titles', () => {
  const tests = rows.flatMap((row) => [...row.matchAll(named)])
  expect(tests.length).toBeGreaterThan(0)
  const missing = tests.filter(([, title = '', path = '']) => {
    const file = new URL(path, page)
    return !existsSync(file) || !readFileSync(file, 'utf8').includes(`'${title}'`)
  })
  expect(missing.map(([test]) => test)).toEqual([])
})

it('has a test or a reason for every requirement', () => {
  const without = rows.filter((row) => {
    const [, , answer = ''] = row.replace(/^\| | \|$/g, '').split(' | ')
    return !new RegExp(named.source).test(answer) && !/^(?:does not apply: |.+\]\()/.test(answer)
  })
  expect(without).toEqual([])
})
