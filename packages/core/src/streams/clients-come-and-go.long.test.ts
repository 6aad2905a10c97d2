import { expect, it } from 'vitest'
import { connectAndLeave } from './test-memory.ts'

it('keeps no stream, token, timer, connection or listener of two thousand clients that came and went', async () => {
  const { before, after } = await connectAndLeave(2000)
  const { resources, listeners } = before
  expect(after).toMatchObject({ streams: 0, tokens: 0, resources, listeners })
}, 60_000)
