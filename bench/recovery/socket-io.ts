import { createServer } from 'node:http'
import { Server } from 'socket.io'
import { listening } from '../streams/serve-streams.ts'
import { serveRecovery } from './serve-recovery.ts'

const server = createServer()
const io = new Server(server, {
  transports: ['websocket'],
  serveClient: false,
  pingInterval: 60_000,
  connectionStateRecovery: { maxDisconnectionDuration: 60_000, skipMiddlewares: true },
})

serveRecovery({ url: await listening(server), emit: (payload) => io.emit('tick', payload) })
