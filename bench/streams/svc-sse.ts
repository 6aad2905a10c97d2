import { defineEventRouter, defineServer, startServer } from '@svc/core'
import { serveStreams } from './serve-streams.ts'
import { start, streamOptions, tick } from './svc-streams.ts'

const definition = defineServer().events(defineEventRouter({ tick }), streamOptions)
const { url } = await startServer(definition, start)
await serveStreams(url, (payload) => tick.emit(payload))
