import { defineServer, defineWebSocketRouter, startServer } from '@svc/core'
import { serveStreams } from './serve-streams.ts'
import { keeping, start, streamOptions, tick } from './svc-streams.ts'

const router = defineWebSocketRouter({ events: { tick }, ...keeping })
const { url } = await startServer(defineServer().websockets(router, streamOptions), start)
await serveStreams(url, (payload) => tick.emit(payload))
