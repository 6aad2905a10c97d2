import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Payload, stampedPayload } from './payload.ts'

export interface Serving {
  url: string
  /** A byte that arrives here is a number of emissions, all of one turn. */
  controlPort: number
}

export type ServerOrder = 'cpuMicros' | 'settledBytes' | 'usedBytes' | 'watch' | 'blockedMillis'

// Sampled by libuv, not by a timer of ours.
const delay = monitorEventLoopDelay({ resolution: 1 })

const measure: Record<ServerOrder, () => number | Promise<number>> = {
  cpuMicros() {
    const { user, system } = process.cpuUsage()
    return user + system
  },
  async settledBytes() {
    for (let run = 0; run < 3; run++) {
      globalThis.gc?.()
      await sleep(50)
    }
    return process.memoryUsage.rss()
  },
  /** The used part of the heap, without the reserve of the process. */
  usedBytes() {
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  },
  watch() {
    delay.reset()
    return Number(delay.enable())
  },
  blockedMillis() {
    delay.disable()
    return delay.max / 1e6
  },
}

/** Listens on a free port, and returns the server's address. */
export async function listening(server: Server) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}` // a port, not a pipe
}

/** Emits when the client orders it, and tells the bench the costs, as long as the bench lives. */
export async function serveStreams(url: string, emit: (payload: Payload) => unknown) {
  const control = createServer({ noDelay: true }, (socket) => {
    socket.on('data', (numbers) => {
      for (const emissions of numbers as Buffer) {
        for (let made = 0; made < emissions; made++) void emit(stampedPayload())
      }
    })
  })
  control.listen(0, '127.0.0.1')
  await once(control, 'listening')
  process.on('message', (order) => {
    // The message is of our own protocol.
    const answer = Promise.resolve(measure[order as ServerOrder]())
    void answer.then((figure) => process.send?.(figure))
  })
  process.on('disconnect', () => process.exit())
  process.send?.({ url, controlPort: (control.address() as AddressInfo).port })
}
