/**
 * The limit: the missed frames are joined from an array, once for all clients that missed the same,
 * and sent in one write.
 */
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { listening } from '../streams/serve-streams.ts'
import { serveRecovery } from './serve-recovery.ts'

const sockets = new Set<Socket>()
const frames: string[] = []
const joined = new Map<number, Buffer>()

const chunk = (text: string) =>
  Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`)

/** All frames after one. */
function missed(last: number) {
  const bytes = joined.get(last) ?? chunk(frames.slice(last).join(''))
  joined.set(last, bytes)
  return bytes
}

const server = createServer(({ socket, headers }, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  response.flushHeaders()
  const last = Number(headers['last-event-id'] ?? frames.length)
  if (last < frames.length) socket.write(missed(last))
  sockets.add(socket)
  response.on('close', () => sockets.delete(socket))
})

serveRecovery({
  url: await listening(server),
  emit(payload) {
    const frame = `id: ${frames.length + 1}\nevent: tick\ndata: ${JSON.stringify(payload)}\n\n`
    frames.push(frame)
    joined.clear()
    const bytes = chunk(frame)
    for (const socket of sockets) socket.write(bytes)
  },
})
