import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { CheapStream } from './crowd.ts'
import { ends, start, usePeer } from './test-half-open.ts'

usePeer()

describe('F11: a peer that has vanished without a word', () => {
  it('has its stream until that is too old, for nothing else shows', async () => {
    const { instance, proxy, streams, gone } = await start({ pingInterval: 200, maxAge: 3000 })
    const minting = new CheapStream(instance.port)
    const token = await minting.token(instance)
    minting.socket.destroy()
    const stream = new CheapStream(proxy.port)
    await stream.stream(token ?? '')
    const opened = performance.now()
    ends.push(() => stream.socket.destroy())
    proxy.fallSilent()
    await wait(1500)
    expect(await streams()).toBe(1)
    await gone(5000)
    expect(performance.now() - opened).toBeGreaterThan(2600)
    expect(performance.now() - opened).toBeLessThan(4000)
  })
})
