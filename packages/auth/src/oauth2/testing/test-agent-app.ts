import { defineRouter, route } from '@svc/core'
import { getAuth } from '../../caller/caller.ts'
import { requireAnyPermission, requirePermissions, requireRole } from '../../roles/roles.ts'
import { accessTokenAuth } from '../oauth2.ts'
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
  readAndInvite: route
    .get('/mcp/invite')
    .use([...forAgents, requirePermissions('user:read', 'user:invite')])
    .handler(() => ({})),
  readOrInvite: route
    .get('/mcp/any')
    .use([...forAgents, requireAnyPermission('user:invite', 'user:read')])
    .handler(() => ({})),
  byRole: route
    .get('/mcp/role')
    .use([...forAgents, requireRole('admin')])
    .handler(() => ({})),
  own: route.get('/own').handler(() => ({})),
})

/** An application with routes for agents, and one that is not for them. */
export const agentApp = { ...agentOptions, router }
