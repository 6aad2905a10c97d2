import { defineEvent, defineEventRouter, defineServer, startServer, t } from '../index.ts'
import { createLogger } from '../observation/logger.ts'
import { connectWithToken, countedAuth, leftIn, receive, until } from './test-visitors.ts'

// Clients of event streams come and go, and it tells what is left of them.

const cycles = Number(process.argv[2])

const tick = defineEvent('tick', t.Object({ n: t.Integer() }))
const { auth, tokens } = countedAuth()
const router = defineEventRouter({ tick }, { history: { size: 100, ttl: 60_000 } })
const log = createLogger({ level: 'silent' })
const definition = defineServer().events(router, { auth, pingInterval: 50 })
const server = await startServer(definition, { env: { NODE_ENV: 'test' }, port: 0, log })

/** Gets a token, opens a stream by it, and leaves: at once, or when the stream is there. */
async function visit(n: number) {
  const { socket, token } = await connectWithToken(server.url)
  socket.write(`GET /events/stream?events=tick&token=${token} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
  if (n % 4 > 0) await until(socket, 'connected')
  else await new Promise(setImmediate)
  socket.removeAllListeners('close')
  if (n % 3 === 0) socket.resetAndDestroy()
  else if (n % 3 === 1) socket.destroy()
  else socket.end()
  if (n % 50 === 0) await tick.emit({ n })
}

// Connections that were ended well, and what hangs on them, go within a few turns.
const measure = async () => ({ ...(await leftIn(server, 500)), tokens: tokens() })

// What is compiled, pooled and cached stays; it is there by now.
await receive(cycles / 10, visit)
const before = await measure()
await receive(cycles, visit)
const after = await measure()
await server.stop()
process.stdout.write(JSON.stringify({ before, after }))
