/** The handshake of `ws`; each frame is encoded once, and its bytes are written to every socket. */
import { createServer } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { Payload } from './payload.ts'
import { listening, serveStreams } from './serve-streams.ts'

const sockets = new Set<Duplex>()
let turn: Buffer[] = []

/** A text frame of 126 to 65,535 bytes, unmasked, as a server sends it. */
function frame(text: string) {
  const bytes = Buffer.allocUnsafe(4 + Buffer.byteLength(text))
  bytes[0] = 0x81
  bytes[1] = 126
  bytes.writeUInt16BE(bytes.length - 4, 2)
  bytes.write(text, 4)
  return bytes
}

function flush() {
  const bytes = Buffer.concat(turn)
  turn = []
  for (const socket of sockets) socket.write(bytes)
}

/** The frames of one turn are sent in one write. */
function emit(payload: Payload) {
  if (turn.length === 0) setImmediate(flush)
  turn.push(frame(JSON.stringify({ type: 'tick', data: payload })))
}

const accept = new WebSocketServer({ noServer: true, perMessageDeflate: false })
const server = createServer()
server.on('upgrade', (request, socket, head) => {
  accept.handleUpgrade(request, socket, head, (client) => {
    sockets.add(socket)
    client.on('close', () => sockets.delete(socket))
    client.on('error', () => {})
  })
})
await serveStreams(await listening(server), emit)
