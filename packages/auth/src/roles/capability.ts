import { defineCapability } from '../capability/capability.ts'
import { roleActs } from './acts.ts'
import { createAdminRole, deleteAdminRole, updateAdminRole } from './change-roles.ts'
import { roleContract } from './contract.ts'
import { listRoles } from './roles.ts'
import { accountRoles, permissions, roleDeclarations, roles } from './schema.ts'
import { addUserRole, removeUserRole, updateUserRole } from './user-roles.ts'

export const roleCapability = defineCapability(roleContract, {
  audit: roleActs,
  tables: { accountRoles, permissions, roleDeclarations, roles },
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
    addUserRole: ({ auth, caller, params, body, origin }) =>
      addUserRole(auth, { caller, ...params, ...body, origin }),
    removeUserRole: ({ auth, caller, params, origin }) =>
      removeUserRole(auth, { caller, ...params, origin }),
  },
})
