import { defineServer, defineWebSocketRouter, startServer } from '@svc/core'
import { serveStreams } from './serve-streams.ts'
import { start, streamOptions, tick } from './svc-streams.ts'

const router = defineWebSocketRouter({ events: { tick } })
// More than the default, since those who have just left may still be counted.
const options = { ...streamOptions, maxConnections: 20_000 }
const { url } = await startServer(defineServer().websockets(router, options), start)
await serveStreams(url, (payload) => tick.emit(payload))
