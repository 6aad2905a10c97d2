import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import {
  defineEvent,
  defineMessage,
  defineServer,
  defineWebSocketRouter,
  startServer,
  systemClock,
  t,
} from '../index.ts'
import { createLogger } from '../infrastructure/logger.ts'
import { clientFrame, handshakeOf, opcodes } from './test-socket.ts'
import { createMemoryTokenStore } from './token-store.ts'

// The program that test-memory.ts runs for sockets: clients come and go, and it tells what is left of them.

const cycles = Number(process.argv[2])
const together = 20
const collect = globalThis.gc ?? (() => {})

const tick = defineEvent('tick', t.Object({ n: t.Integer() }))
const echo = defineMessage(t.Integer(), async ({ payload }) => payload)
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
  authorize: async (_: string, events: string[]) => {
    await new Promise(setImmediate)
    return events
  },
  recipients: { tick: () => ['u1', 'u2', 'u3'] },
}
const router = defineWebSocketRouter({ events: { tick }, messages: { echo } })
const log = createLogger({ level: 'silent' })
// A place that is not given back is missed soon: there are few more than clients at any one time.
const options = { auth, pingInterval: 50, maxConnections: 60, maxConnectionsPerSubject: 30 }
const definition = defineServer().websockets(router, options)
const server = await startServer(definition, { env: { NODE_ENV: 'test' }, port: 0, log })
const { hostname, port } = new URL(server.url)

function until(socket: Socket, text: string) {
  return new Promise<string>((resolve, reject) => {
    let received = ''
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1')
      if (received.includes(text)) resolve(received)
    })
    socket.once('close', () => reject(new Error(`closed: ${received}`)))
  })
}

const leave: ((socket: Socket) => unknown)[] = [
  (socket) => socket.resetAndDestroy(),
  (socket) => socket.destroy(),
  (socket) => socket.end(),
  (socket) => socket.write(clientFrame(opcodes.close, Buffer.from([0x03, 0xe8]))),
  (socket) => socket.write(clientFrame(3, 'no such frame')),
]

/** Gets a token, opens a socket by it, or by none, and leaves in one of the ways there are. */
async function cycle(n: number) {
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.write('POST /events/token HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n')
  const [, token] = /"token":"([\w-]+)"/.exec(await until(socket, '"}')) ?? []
  const isRefused = n % 11 === 0
  const target = `/events/ws?token=${isRefused ? 'x' : ''}${token}`
  socket.write(handshakeOf({ target }))
  if (isRefused) {
    tokens -= 1
    await memory.consume(token ?? '')
    await until(socket, 'UnauthorizedError')
  } else if (n % 4 > 0) {
    await until(socket, 'connected')
    socket.write(clientFrame(opcodes.text, '{"type":"echo","data":1}'))
    if (n % 3 > 0) await until(socket, 'echo')
  } else await new Promise(setImmediate)
  socket.removeAllListeners('close')
  leave[n % leave.length]?.(socket)
  if (n % 50 === 0) await tick.emit({ n })
  await new Promise((resolve) => (socket.closed ? resolve(null) : socket.once('close', resolve)))
}

async function run(count: number) {
  let begun = 0
  const worker = async () => {
    while (begun < count) await cycle((begun += 1))
  }
  await Promise.all(Array.from({ length: together }, worker))
}

async function measure() {
  for (let n = 0; n < 100 && server.infrastructure.streams.size > 0; n++) await wait(20)
  // Those that were asked to close are cut off after two seconds.
  await wait(2500)
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

/** All the places there are, at the same time. */
async function fillPlaces() {
  const sockets = await Promise.all(
    Array.from({ length: options.maxConnections }, async () => {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => {})
      socket.write('POST /events/token HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n')
      const [, token] = /"token":"([\w-]+)"/.exec(await until(socket, '"}')) ?? []
      socket.write(handshakeOf({ target: `/events/ws?token=${token}` }))
      await until(socket, 'connected')
      return socket
    }),
  )
  for (const socket of sockets) socket.removeAllListeners('close').destroy()
}

// What is compiled, pooled and cached stays; it is there by now.
await run(cycles / 10)
const before = await measure()
let after = before
const held: number[] = []
for (let round = 0; round < Math.max(1, cycles / 10_000); round++) {
  await run(Math.min(cycles, 10_000))
  await fillPlaces()
  after = await measure()
  held.push(after.rss)
}
await server.stop()
process.stdout.write(JSON.stringify({ before, after, held }))
