import { defineServer, startServer } from '@svc/core'
import { defineRouter, route, t } from '@svc/core/contract'
import { served } from '../harness/served.ts'

const getUser = route
  .get('/users/:id')
  .input({ params: t.Object({ id: t.String() }) })
  .handler(async (c) => {
    const { params } = await c.data()
    return { id: params.id, ok: true }
  })

const server = await startServer(defineServer().routes(defineRouter({ getUser })), {
  port: 0,
  env: {
    NODE_ENV: 'production',
    // No balancer has to notice the stop.
    SVC_SHUTDOWN_DELAY: '0s',
    SVC_LOG_LEVEL: 'warn',
    SVC_MIGRATE: 'apply',
    DATABASE_URL: process.env.DATABASE_URL,
  },
})
process.once('SIGTERM', () => void server.stop().then(() => process.exit()))
served(server.url)
