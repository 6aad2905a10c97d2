import { createAuthLifecycle } from '@svc/auth/server'
import { defineServer } from '@svc/core'
import { webOrigins } from './env.ts'
import { eventRouter, socketRouter } from './events.ts'
import { jobRouter } from './jobs.ts'
import { appRouter } from './router.ts'
import * as schema from './schema.ts'

const auth = createAuthLifecycle({
  permissions: [{ name: 'notice:write', displayName: 'Post notices', category: 'notice' }],
  rolePermissions: { admin: ['notice:write'] },
})

export default defineServer()
  .lifecycle(auth)
  .database({ schema, migrations: new URL('./migrations/', import.meta.url) })
  .routes(appRouter)
  .events(eventRouter, { auth: { enabled: true } })
  .websockets(socketRouter)
  .jobs(jobRouter)
  .origins(...webOrigins())
