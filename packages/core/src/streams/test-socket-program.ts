import type { Socket } from 'node:net'
import {
  defineEvent,
  defineMessage,
  defineServer,
  defineWebSocketRouter,
  startServer,
  t,
} from '../index.ts'
import { createLogger } from '../observation/logger.ts'
import { clientFrame, handshakeOf, opcodes } from './test-socket.ts'
import { connectWithToken, countedAuth, leftIn, receive, until } from './test-visitors.ts'

// Clients of WebSockets come and go, and it tells what is left of them.

const cycles = Number(process.argv[2])

const tick = defineEvent('tick', t.Object({ n: t.Integer() }))
const echo = defineMessage(t.Integer(), async ({ payload }) => payload)
const counted = countedAuth()
const { store } = counted.auth
const auth = {
  ...counted.auth,
  authorize: async (_: string, events: string[]) => {
    await new Promise(setImmediate)
    return events
  },
}
const router = defineWebSocketRouter({ events: { tick }, messages: { echo } })
const log = createLogger({ level: 'silent' })
// A place that is not given back is missed soon: there are few more than clients at any one time.
const options = { auth, pingInterval: 50, maxConnections: 60, maxConnectionsPerSubject: 30 }
const definition = defineServer().websockets(router, options)
const server = await startServer(definition, { env: { NODE_ENV: 'test' }, port: 0, log })

const leave: ((socket: Socket) => unknown)[] = [
  (socket) => socket.resetAndDestroy(),
  (socket) => socket.destroy(),
  (socket) => socket.end(),
  (socket) => socket.write(clientFrame(opcodes.close, Buffer.from([0x03, 0xe8]))),
  (socket) => socket.write(clientFrame(3, 'no such frame')),
]

/** Gets a token, opens a socket by it, or by none, and leaves in one of the ways there are. */
async function visit(n: number) {
  const { socket, token } = await connectWithToken(server.url)
  const isRefused = n % 11 === 0
  socket.write(handshakeOf({ target: `/events/ws?token=${isRefused ? 'x' : ''}${token}` }))
  if (isRefused) {
    await store.consume(token)
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

/** All the places there are, at the same time. */
async function fillPlaces() {
  const sockets = await Promise.all(
    Array.from({ length: options.maxConnections }, async () => {
      const { socket, token } = await connectWithToken(server.url)
      socket.write(handshakeOf({ target: `/events/ws?token=${token}` }))
      await until(socket, 'connected')
      return socket
    }),
  )
  for (const socket of sockets) socket.removeAllListeners('close').destroy()
}

// Those that were asked to close are cut off after two seconds.
const measure = async () => ({ ...(await leftIn(server, 2500)), tokens: counted.tokens() })

// What is compiled, pooled and cached stays; it is there by now.
await receive(cycles / 10, visit)
const before = await measure()
let after = before
const held: number[] = []
for (let round = 0; round < Math.max(1, cycles / 10_000); round++) {
  await receive(Math.min(cycles, 10_000), visit)
  await fillPlaces()
  after = await measure()
  held.push(after.rss)
}
await server.stop()
process.stdout.write(JSON.stringify({ before, after, held }))
