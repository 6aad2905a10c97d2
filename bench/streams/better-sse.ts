import { createServer } from 'node:http'
import { createChannel, createSession } from 'better-sse'
import { listening, serveStreams } from './serve-streams.ts'

const channel = createChannel()
const server = createServer((request, response) => {
  const opening = createSession(request, response, { keepAlive: 60_000 })
  void opening.then((session) => channel.register(session))
})

await serveStreams(await listening(server), (payload) => channel.broadcast(payload, 'tick'))
