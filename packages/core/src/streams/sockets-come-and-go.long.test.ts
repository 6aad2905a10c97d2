import { expect, it } from 'vitest'
import { connectAndLeave } from './test-memory.ts'

// The program takes all places at once in the end, which it could not if one had not been given back.
it('keeps no stream, place, token, timer, connection or listener of two thousand sockets that came and went', async () => {
  const { before, after } = await connectAndLeave(2000, 'sockets')
  expect(after).toMatchObject({ streams: 0, tokens: 0 })
  expect(after.resources).toEqual(before.resources)
  expect(after.listeners).toBe(before.listeners)
}, 120_000)
