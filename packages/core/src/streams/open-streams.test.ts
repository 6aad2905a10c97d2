import { expect, it, vi } from 'vitest'
import { createLogger } from '../observation/logger.ts'
import type { StreamGrant } from './access/stream-tokens.ts'
import { Stream } from './delivery/stream.ts'
import { OpenStreams } from './open-streams.ts'

class QuietStream extends Stream {
  declare grant: StreamGrant

  constructor(open: OpenStreams, grant: StreamGrant) {
    super({ forget: (stream) => open.remove(stream), reauthorize() {} })
    this.grant = grant
  }

  get waitingBytes() {
    return 0
  }
  write() {}
  ping() {}
  protected disconnect() {}
}

function opened(count: number) {
  const open = new OpenStreams()
  const streams = Array.from({ length: count }, (_, n) => {
    const stream = new QuietStream(open, { subject: `u${n % 700}`, credential: `k${n}` })
    open.add(stream)
    return stream
  })
  return { open, streams }
}

it('asks about no more than 500 credentials at a time, and ends those that have gone', async () => {
  const { open, streams } = opened(1201)
  const standing = vi.fn(async (grants: readonly StreamGrant[]) =>
    grants.map(({ credential = '' }) => (Number(credential.slice(1)) % 10 === 0 ? null : '')),
  )
  await open.check({ identify: () => null, standing })
  expect(standing.mock.calls.map(([grants]) => grants.length)).toEqual([500, 500, 201])
  expect(streams.filter(({ isOpen }) => !isOpen)).toHaveLength(121)
  expect(open.size).toBe(1080)
})

it('counts the streams of one account and of many, and forgets each once', () => {
  const { open, streams } = opened(1500)
  expect(open.size).toBe(1500)
  for (const stream of streams) stream.end('left')
  for (const stream of streams) open.remove(stream)
  expect(open.size).toBe(0)
})

it('looks once more when it is asked to while it looks, however often', async () => {
  const { open } = opened(1)
  const answers: (() => void)[] = []
  const standing = vi.fn(
    () => new Promise<string[]>((resolve) => answers.push(() => resolve(['']))),
  )
  const stop = open.watch({ identify: () => null, standing }, createLogger({ level: 'silent' }))
  for (let n = 0; n < 5; n++) open.recheck()
  expect(standing).toHaveBeenCalledTimes(1)
  answers[0]?.()
  await vi.waitFor(() => expect(standing).toHaveBeenCalledTimes(2))
  answers[1]?.()
  await new Promise(setImmediate)
  expect(standing).toHaveBeenCalledTimes(2)
  stop()
  open.recheck()
  expect(standing).toHaveBeenCalledTimes(2)
})
