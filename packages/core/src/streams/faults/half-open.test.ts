import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { CheapStream } from './crowd.ts'
import { type Instance, startInstance } from './instance.ts'
import { openSocket } from './sockets.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

/** A way to the server that can fall silent in both directions, and that closes nothing then. */
async function startProxy({ port }: Instance) {
  const sockets: Socket[] = []
  const proxy = createServer((near) => {
    const far = connect({ port, host: '127.0.0.1' })
    sockets.push(near, far)
    near.on('data', (bytes) => far.write(bytes)).on('error', () => far.destroy())
    far.on('data', (bytes) => near.write(bytes)).on('error', () => near.destroy())
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  ends.push(() => {
    for (const socket of sockets) socket.destroy()
    proxy.close()
  })
  return {
    port: (proxy.address() as AddressInfo).port,
    fallSilent() {
      for (const socket of sockets) socket.pause()
    },
  }
}

async function start(options: { pingInterval: number; maxAge?: number }) {
  const instance = await startInstance(options)
  ends.push(() => instance.kill())
  const proxy = await startProxy(instance)
  const streams = async () => (await instance.ask('facts', undefined)).streams
  /** When the server has let go of it. */
  async function gone(within: number) {
    const began = performance.now()
    while ((await streams()) > 0 && performance.now() - began < within) await wait(10)
    return performance.now() - began
  }
  return { instance, proxy, streams, gone }
}

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
