import { defineServer } from '@svc/core'
import { jobRouter } from './jobs.ts'
import { appRouter } from './router.ts'
import * as schema from './schema.ts'

export default defineServer()
  .database({ schema, migrations: new URL('./migrations/', import.meta.url) })
  .routes(appRouter)
  .jobs(jobRouter)
