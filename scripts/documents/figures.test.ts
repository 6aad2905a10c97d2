import { expect, it } from 'vitest'
import { keptResults, reported } from '../../bench/harness/report.ts'

it.each(reported(keptResults()))('$path has the figures of the kept results', ({ is, should }) => {
  // `npm run bench report` writes them.
  expect(is).toBe(should)
})
