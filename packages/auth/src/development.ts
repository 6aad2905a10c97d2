import { defineEventRouter, defineServer } from '@svc/core'
import { authEvents } from './auth-events.ts'
import { authRouter } from './router.ts'
import { schema } from './schema.ts'

/**
 * `npm run generate` writes this package's migrations and route map from it, and `svc asyncapi`
 * prints its events. It is never started as a server.
 */
export default defineServer()
  .database({ schema, migrations: new URL('../migrations/', import.meta.url) })
  .routes(authRouter)
  .events(defineEventRouter(authEvents))
