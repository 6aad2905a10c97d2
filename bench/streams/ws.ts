import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'
import { listening, serveStreams } from './serve-streams.ts'

const server = createServer()
const sockets = new WebSocketServer({ server, perMessageDeflate: false })
sockets.on('connection', (client) => client.on('error', () => {}))

await serveStreams(await listening(server), (data) => {
  const text = JSON.stringify({ type: 'tick', data })
  for (const client of sockets.clients) client.send(text)
})
