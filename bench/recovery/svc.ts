import { defineEventRouter, defineServer, startServer } from '@svc/core'
import { keeping, start, streamOptions, tick } from '../streams/svc-streams.ts'
import { serveRecovery } from './serve-recovery.ts'

const definition = defineServer().events(defineEventRouter({ tick }, keeping), streamOptions)
const { url, stop } = await startServer(definition, start)
serveRecovery({ url, emit: (payload) => tick.emit(payload), stop })
