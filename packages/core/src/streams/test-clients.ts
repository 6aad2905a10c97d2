import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import {
  defineEvent,
  defineEventRouter,
  defineServer,
  startServer,
  systemClock,
  t,
} from '../index.ts'
import { createLogger } from '../infrastructure/logger.ts'
import { createMemoryTokenStore } from './token-store.ts'

// The program that test-memory.ts runs: clients come and go, and it tells what is left of them.

const cycles = Number(process.argv[2])
const together = 20
const collect = globalThis.gc ?? (() => {})

const tick = defineEvent('tick', t.Object({ n: t.Integer() }))
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
let subject = 0
const auth = {
  enabled: true,
  store,
  getSubject: () => `u${(subject += 1) % 100}`,
  authorize: async (_: string, events: string[]) => events,
  recipients: { tick: () => ['u1', 'u2', 'u3'] },
}
const router = defineEventRouter({ tick }, { history: { size: 100, ttl: 60_000 } })
const log = createLogger({ level: 'silent' })
const definition = defineServer().events(router, { auth, pingInterval: 50 })
const server = await startServer(definition, { env: { NODE_ENV: 'test' }, port: 0, log })
const { hostname, port } = new URL(server.url)

function until(socket: Socket, text: string) {
  return new Promise<string>((resolve, reject) => {
    let received = ''
    socket.on('data', (bytes) => {
      received += bytes.toString()
      if (received.includes(text)) resolve(received)
    })
    socket.once('close', () => reject(new Error(`closed: ${received}`)))
  })
}

/** Gets a token, opens a stream by it, and leaves: at once, or when the stream is there. */
async function cycle(n: number) {
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.write('POST /events/token HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n')
  const [, token] = /"token":"([\w-]+)"/.exec(await until(socket, '"}')) ?? []
  socket.write(`GET /events/stream?events=tick&token=${token} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
  if (n % 4 > 0) await until(socket, 'connected')
  else await new Promise(setImmediate)
  socket.removeAllListeners('close')
  if (n % 3 === 0) socket.resetAndDestroy()
  else if (n % 3 === 1) socket.destroy()
  else socket.end()
  if (n % 50 === 0) await tick.emit({ n })
}

async function run(count: number) {
  let begun = 0
  const worker = async () => {
    while (begun < count) await cycle((begun += 1))
  }
  await Promise.all(Array.from({ length: together }, worker))
}

async function measure() {
  // Connections that were ended well, and what hangs on them, go within a few turns.
  for (let n = 0; n < 100 && server.infrastructure.streams.size > 0; n++) await wait(20)
  await wait(500)
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
    streams: server.infrastructure.streams.size,
    tokens,
    resources: resources.toSorted(),
    listeners,
  }
}

// What is compiled, pooled and cached stays; it is there by now.
await run(cycles / 10)
const before = await measure()
await run(cycles)
const after = await measure()
await server.stop()
process.stdout.write(JSON.stringify({ before, after }))
