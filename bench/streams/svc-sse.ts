import { defineEventRouter, defineServer, startServer } from '@svc/core'
import { serveStreams } from './serve-streams.ts'
import { keeping, start, streamOptions, tick } from './svc-streams.ts'

const definition = defineServer().events(defineEventRouter({ tick }, keeping), streamOptions)
const { url } = await startServer(definition, start)
await serveStreams(url, (payload) => tick.emit(payload))
