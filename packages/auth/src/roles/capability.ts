import { defineCapability } from '../capability/capability.ts'
import { roleActs } from './acts.ts'
import { createAdminRole, deleteAdminRole, updateAdminRole } from './change-roles.ts'
import { roleContract } from './contract.ts'
import { listRoles } from './roles.ts'
import { permissions, roleDeclarations, roles } from './schema.ts'
import { updateUserRole } from './update-user-role.ts'

export const roleCapability = defineCapability(roleContract, {
  audit: roleActs,
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
