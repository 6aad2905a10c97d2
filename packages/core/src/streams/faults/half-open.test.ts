import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openSocket } from './sockets.ts'
import { ends, start, usePeer } from './test-half-open.ts'

usePeer()

describe('F11: a peer that has vanished without a word', () => {
  it('is noticed by a WebSocket at the second ping (E-076)', async () => {
    const { instance, proxy, streams, gone } = await start({ pingInterval: 1000 })
    const { ws } = await openSocket(instance, proxy.port)
    ends.push(() => ws.terminate())
    await wait(2500)
    expect(await streams()).toBe(1)
    proxy.fallSilent()
    expect(await gone(5000)).toBeLessThan(2500)
  })
})
