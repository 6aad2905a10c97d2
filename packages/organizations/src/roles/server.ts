import type { Handlers } from '@svc/auth/server'
import { byCaller, type OrganizationHeld } from '../membership/membership.ts'
import type { ofRoles } from './contract.ts'
import { createRole, deleteRole, listRoles, updateRole } from './roles.ts'

export const roleHandlers: Handlers<typeof ofRoles, OrganizationHeld> = {
  listOrganizationRoles: ({ auth, standing }) => listRoles(auth, standing),
  async createOrganizationRole({ auth, standing, caller, body, origin, c }) {
    const { currentPassword: _, ...role } = body
    return c.created(await createRole(auth, role, { standing, by: byCaller(caller, origin) }))
  },
  updateOrganizationRole({ auth, standing, caller, params, body, origin }) {
    const { currentPassword: _, ...changes } = body
    const asked = { standing, by: byCaller(caller, origin) }
    return updateRole(auth, { ...changes, role: params.role }, asked)
  },
  async deleteOrganizationRole({ auth, standing, caller, params, origin, c }) {
    await deleteRole(auth, params.role, { standing, by: byCaller(caller, origin) })
    return c.noContent()
  },
}
