import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { systemClock } from '../clock/clock.ts'
import type { RunningServer } from '../server/start-server.ts'
import { createMemoryTokenStore } from './access/token-store.ts'

// What the programs of test-memory.ts share.

const together = 20
const collect = globalThis.gc ?? (() => {})

/** Streams of a hundred subjects, whose tokens are counted. */
export function countedAuth() {
  let subject = 0
  let tokens = 0
  const memory = createMemoryTokenStore(systemClock)
  const store = {
    ...memory,
    set(...[token, data]: Parameters<typeof memory.set>) {
      tokens += 1
      return memory.set(token, data)
    },
    async consume(token: string) {
      const data = await memory.consume(token)
      if (data) tokens -= 1
      return data
    },
  }
  const auth = {
    enabled: true,
    store,
    getSubject: () => `u${(subject += 1) % 100}`,
    authorize: async (_: string, events: string[]) => events,
    recipients: { tick: () => ['u1', 'u2', 'u3'] },
  }
  return { auth, tokens: () => tokens }
}

/** A connection, and the token that it got over itself. */
export async function connectWithToken(url: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.write('POST /events/token HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n')
  const [, token = ''] = /"token":"([\w-]+)"/.exec(await until(socket, '"}')) ?? []
  return { socket, token }
}

/** Resolves when that has arrived. */
export function until(socket: Socket, text: string) {
  return new Promise<string>((resolve, reject) => {
    let received = ''
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1')
      if (received.includes(text)) resolve(received)
    })
    socket.once('close', () => reject(new Error(`closed: ${received}`)))
  })
}

/** So many visits, a few of them at any one time. */
export async function receive(count: number, visit: (n: number) => Promise<unknown>) {
  let begun = 0
  const visitor = async () => {
    while (begun < count) await visit((begun += 1))
  }
  await Promise.all(Array.from({ length: together }, visitor))
}

export type Left = Awaited<ReturnType<typeof leftIn>>

/** What is still in use after all clients have left, once timers within this time have run. */
export async function leftIn({ infrastructure }: RunningServer, withinMillis: number) {
  for (let n = 0; n < 100 && infrastructure.streams.size > 0; n++) await wait(20)
  await wait(withinMillis)
  for (let n = 0; n < 3; n++) {
    collect()
    await wait(50)
  }
  const { rss, heapUsed } = process.memoryUsage()
  const resources = process.getActiveResourcesInfo().filter((name) => !/FSReq|Immediate/.test(name))
  const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0)
  return {
    rss,
    heapUsed,
    streams: infrastructure.streams.size,
    resources: resources.toSorted(),
    listeners,
  }
}
