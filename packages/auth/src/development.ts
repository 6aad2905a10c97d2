import { defineServer } from '@svc/core'
import { authRouter } from './router.ts'
import * as schema from './schema.ts'

/** What `npm run generate` writes this package's migrations and route map from. */
export default defineServer()
  .database({ schema, migrations: new URL('../migrations/', import.meta.url) })
  .routes(authRouter)
