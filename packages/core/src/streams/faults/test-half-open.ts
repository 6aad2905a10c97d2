import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach } from 'vitest'
import { type Instance, startInstance } from './instance.ts'

export const ends: (() => unknown)[] = []

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

export async function start(options: { pingInterval: number; maxAge?: number }) {
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

/** Ends what the tests of one file have started. */
export function usePeer() {
  afterEach(async () => {
    for (const end of ends.splice(0)) await end()
  })
  return {}
}
