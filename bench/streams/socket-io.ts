import { createServer } from 'node:http'
import { Server } from 'socket.io'
import { listening, serveStreams } from './serve-streams.ts'

const server = createServer()
const io = new Server(server, {
  transports: ['websocket'],
  serveClient: false,
  pingInterval: 60_000,
})

await serveStreams(await listening(server), (payload) => io.emit('tick', payload))
