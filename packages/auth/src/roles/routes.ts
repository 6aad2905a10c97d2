import { implement } from '../running/implement.ts'
import { roleContract } from './contract.ts'
import { createAdminRole } from './create-role.ts'
import { deleteAdminRole } from './delete-role.ts'
import { listRoles } from './list-roles.ts'
import { updateAdminRole } from './update-role.ts'
import { updateUserRole } from './update-user-role.ts'

export const roleRoutes = implement(roleContract, {
  listRoles: ({ auth }) => listRoles(auth),
  createAdminRole: ({ auth, caller, body, origin }) =>
    createAdminRole(auth, { caller, role: body, origin }),
  updateAdminRole: ({ auth, caller, params, body, origin }) =>
    updateAdminRole(auth, { caller, ...params, changes: body, origin }),
  deleteAdminRole: async ({ auth, caller, params, origin, c }) => {
    await deleteAdminRole(auth, { caller, ...params, origin })
    return c.noContent()
  },
  updateUserRole: ({ auth, caller, params, body, origin }) =>
    updateUserRole(auth, { caller, ...params, ...body, origin }),
})
