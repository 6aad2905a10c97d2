import { authenticate, authRouter, createAuthLifecycle, getUserId } from '@svc/auth/server'
import { defineRouter, defineServer, startServer } from '@svc/core'
import { route } from '@svc/core/contract'
import { served } from '../harness/served.ts'

const me = route.get('/me').handler(async (c) => ({ userId: getUserId(c) }))
const router = defineRouter({ me }).packages([authRouter]).use([authenticate])

const server = await startServer(defineServer().lifecycle(createAuthLifecycle()).routes(router), {
  port: 0,
  env: {
    NODE_ENV: 'production',
    SVC_LOG_LEVEL: 'error',
    SVC_MIGRATE: 'apply',
    DATABASE_URL: process.env.DATABASE_URL,
    SVC_PROCESSES: process.env.SVC_PROCESSES,
    // Each login of a storm comes from another address.
    SVC_TRUSTED_PROXY_HOPS: '1',
    SVC_AUTH_VERIFICATION_TOKEN_SECRET: 'wJ4xq7Lr0vT2nB8yKc5dFz1mGh6sPaEu9RiWoQtXbN3',
    SVC_APP_URL: 'https://app.example.com',
    SVC_MAIL_URL: 'none',
  },
})
served(server.url)
