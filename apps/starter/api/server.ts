import { createAuthLifecycle, toOwners } from '@svc/auth/server'
import { defineServer } from '@svc/core'
import { perDay, perMinute } from '@svc/core/contract'
import { isMember, organizations } from '@svc/organizations/server'
import { agentOptions, domainOptions, supportOptions, webOrigins } from './env.ts'
import { eventRouter, socketRouter } from './events.ts'
import { jobRouter } from './jobs.ts'
import { appRouter } from './router.ts'
import * as schema from './schema.ts'

const auth = createAuthLifecycle({
  capabilities: [
    organizations({
      permissions: [{ name: 'board:write', displayName: 'Post on the board' }],
      roles: { member: ['board:write'] },
      ...domainOptions(),
    }),
  ],
  brand: { name: 'Svc starter' },
  permissions: [
    { name: 'notice:read', displayName: 'Read notices through agents', category: 'notice' },
    { name: 'notice:write', displayName: 'Post notices', category: 'notice' },
  ],
  rolePermissions: { user: ['notice:read'], admin: ['notice:read', 'notice:write'] },
  authorizationServer: {
    scopes: {
      'notice:read': 'Read the board',
      'notice:write': 'Post notices in your name',
      'user:invite': 'Invite people',
      'audit:read': 'Read the audit trail',
    },
    defaultScopes: ['notice:read'],
    resources: ['/mcp'],
    // An agent that loops is stopped, and the board stays quick for people.
    budget: { calls: [perMinute(120), perDay(10_000)], rows: [perDay(100_000)] },
    // An agent registers on its own, before its user has signed in here.
    registration: 'open',
    ...agentOptions(),
    // A terminal on a server has no browser that an agent could open.
    deviceGrant: true,
  },
  ...supportOptions(),
})

export default defineServer()
  .lifecycle(auth)
  .database({ schema, migrations: new URL('./migrations/', import.meta.url) })
  .routes(appRouter)
  .events(eventRouter, {
    auth: { enabled: true, ...toOwners, channels: { orgNotice: isMember } },
  })
  .websockets(socketRouter)
  .jobs(jobRouter)
  .origins(...webOrigins())
