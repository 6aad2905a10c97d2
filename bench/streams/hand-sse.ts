/**
 * The limit for any framework on Node: each frame is encoded once as the bytes of one chunk, and
 * those are written to every socket.
 */
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import type { Payload } from './payload.ts'
import { listening, serveStreams } from './serve-streams.ts'

const sockets = new Set<Socket>()
let turn = ''

function flush() {
  const bytes = Buffer.from(`${Buffer.byteLength(turn).toString(16)}\r\n${turn}\r\n`)
  turn = ''
  for (const socket of sockets) socket.write(bytes)
}

/** The frames of one turn are sent in one write. */
function emit(payload: Payload) {
  if (turn === '') setImmediate(flush)
  turn += `event: tick\ndata: ${JSON.stringify(payload)}\n\n`
}

const server = createServer(({ socket }, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  response.flushHeaders()
  sockets.add(socket)
  response.on('close', () => sockets.delete(socket))
})
await serveStreams(await listening(server), emit)
