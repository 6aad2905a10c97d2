import { allow, createAuthLifecycle, createAuthRouter, getUserId } from '@svc/auth/server'
import { defineServer, startServer, t } from '@svc/core'
import { route } from '@svc/core/contract'
import { organizations as contract } from '@svc/organizations/contract'
import { inOrg, organizations } from '@svc/organizations/server'
import { served } from '../harness/served.ts'
import { fencedRead, filteredRead } from './notes.ts'

const params = t.Object({ org: t.String({ format: 'uuid' }) })

const routes = {
  outside: allow.bearer(route.get('/me').handler((c) => ({ userId: getUserId(c) }))),
  inside: inOrg('note:read')(
    route
      .get('/orgs/:org/me')
      .input({ params })
      .handler((c) => ({ userId: getUserId(c) })),
  ),
  readFiltered: allow.bearer(
    route
      .get('/filtered/:of')
      .input({ params: t.Object({ of: t.String({ format: 'uuid' }) }) })
      // A whole request with a filter: it reads its input as any other does.
      .handler(async (c) => {
        const {
          params: { of: organizationId },
        } = await c.data()
        return filteredRead(c.db).execute({ organizationId })
      }),
  ),
  readFenced: inOrg('note:read')(
    route
      .get('/orgs/:org/notes')
      .input({ params })
      .handler((c) => fencedRead(c.db).execute()),
  ),
}

const definition = defineServer()
  .routes(createAuthRouter({ routes, contracts: [contract] }))
  .lifecycle(
    createAuthLifecycle({
      capabilities: [
        organizations({ permissions: [{ name: 'note:read', displayName: 'Read notes' }] }),
      ],
    }),
  )

const server = await startServer(definition, {
  port: 0,
  env: {
    NODE_ENV: 'production',
    SVC_LOG_LEVEL: 'warn',
    SVC_MIGRATE: 'apply',
    DATABASE_URL: process.env.DATABASE_URL,
    DATABASE_URL_DIRECT: process.env.DATABASE_URL_DIRECT,
    SVC_AUTH_VERIFICATION_TOKEN_SECRET: 'wJ4xq7Lr0vT2nB8yKc5dFz1mGh6sPaEu9RiWoQtXbN3',
    SVC_APP_URL: 'https://app.example.com',
    SVC_MAIL_URL: 'none',
  },
})
served(server.url)
