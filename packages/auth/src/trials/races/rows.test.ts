import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const page = new URL('../../../../../docs/reference/races.md', import.meta.url)
const rows = [...readFileSync(page, 'utf8').matchAll(/^\| (R\d+) \|.*\]\((\S+)\) \|$/gm)]

it('every row of the table of races has a test that is called after it', () => {
  const upTo = (last: number, first = 1) =>
    Array.from({ length: last - first + 1 }, (_, at) => `R${first + at}`)
  const later = ['R47', ...upTo(58, 50)]
  expect(rows.map(([, row]) => row)).toEqual([...upTo(41), ...upTo(44, 41), ...later])
  const without = rows.filter(([, row, file = '']) => {
    return !readFileSync(new URL(file, page), 'utf8').includes(`${row}: `)
  })
  expect(without.map(([, row]) => row)).toEqual([])
})
