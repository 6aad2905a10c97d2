import { authenticate, createAuthLifecycle, createAuthRouter } from '@svc/auth/server'
import { defineRouter, defineServer } from '@svc/core'
import { defineEventRouter } from '@svc/core/contract'
import { teamCapability } from './capability.ts'
import { teams } from './contract.ts'

export const eventRouter = defineEventRouter(teams.events)

/** An application that has teams of three, and streams what changes. */
const lifecycle = createAuthLifecycle({
  capabilities: [teamCapability({ maxMembers: 3 })],
  rolePermissions: { admin: ['team:create'] },
})
const router = defineRouter({})
  .packages([createAuthRouter({ contracts: [teams] })])
  .use([authenticate])
export const definition = defineServer()
  .routes(router)
  .lifecycle(lifecycle)
  .events(eventRouter, { auth: { enabled: true } })
