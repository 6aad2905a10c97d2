import { permissions, roleDeclarations, roles } from '../accounts/role-schema.ts'
import { defineCapability } from '../capability/capability.ts'
import { roleContract } from './contract.ts'
import { createAdminRole } from './create-role.ts'
import { deleteAdminRole } from './delete-role.ts'
import { listRoles } from './list-roles.ts'
import { updateAdminRole } from './update-role.ts'
import { updateUserRole } from './update-user-role.ts'

export const roleCapability = defineCapability(roleContract, {
  tables: { permissions, roleDeclarations, roles },
  handlers: {
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
  },
})
