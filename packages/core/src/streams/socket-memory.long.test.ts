import { expect, it } from 'vitest'
import { connectAndLeave } from './test-memory.ts'

// Invariant F18.
it('F18: takes no more memory after a hundred thousand sockets than before them', async () => {
  const { before, after, held = [] } = await connectAndLeave(100_000, 'sockets')
  const { resources, listeners } = before
  expect(after).toMatchObject({ streams: 0, tokens: 0, resources, listeners })
  expect(after.heapUsed).toBeLessThan(before.heapUsed * 1.1)
  // Of each half, the least counts.
  const [early, late] = [Math.min(...held.slice(0, 5)), Math.min(...held.slice(5))]
  expect(late).toBeLessThan(early * 1.1)
}, 1_800_000)
