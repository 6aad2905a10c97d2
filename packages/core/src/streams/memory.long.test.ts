import { expect, it } from 'vitest'
import { connectAndLeave } from './test-memory.ts'

// Invariant F18.
it('F18: takes no more memory after a hundred thousand clients than before them', async () => {
  const { before, after } = await connectAndLeave(100_000)
  const { resources, listeners } = before
  expect(after).toMatchObject({ streams: 0, tokens: 0, resources, listeners })
  expect(after.heapUsed).toBeLessThan(before.heapUsed * 1.1)
  expect(after.rss).toBeLessThan(before.rss * 1.1)
}, 1_800_000)
