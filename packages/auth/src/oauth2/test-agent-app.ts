import { defineRouter, route } from '@svc/core'
import { getAuth } from '../caller/context.ts'
import { requirePermissions } from '../roles/require-permissions.ts'
import { requireRole } from '../roles/require-role.ts'
import { accessTokenAuth } from './access-token-auth.ts'
import { agentOptions } from './test-agent.ts'

const forAgents = [accessTokenAuth('/mcp')]
const router = defineRouter({
  tools: route
    .get('/mcp')
    .use(forAgents)
    .handler((c) => {
      const { userId, kind, permissions } = getAuth(c)
      return { userId, kind, permissions }
    }),
  readUsers: route
    .get('/mcp/users')
    .use([...forAgents, requirePermissions('user:read')])
    .handler(() => ({})),
  byRole: route
    .get('/mcp/role')
    .use([...forAgents, requireRole('admin')])
    .handler(() => ({})),
  own: route.get('/own').handler(() => ({})),
})

/** An application with routes for agents, and one that is not for them. */
export const agentApp = { ...agentOptions, router }
