import { ConflictError, ForbiddenError, type OutputOf, route, t } from '@svc/core/contract'
import { UserNotFoundError } from '../accounts/errors.ts'
import { proofRefusals } from '../caller/contract.ts'
import { allow, defineContract } from '../capability/contract.ts'
import * as errors from './errors.ts'
import {
  BuiltinRoleError,
  LastSuperadminError,
  PermissionNotFoundError,
  RoleAlreadyExistsError,
  RoleInUseError,
  RoleNotFoundError,
} from './errors.ts'

/** Of roles: they are compared exactly, by applications too. */
export const roleName = /^[A-Za-z][A-Za-z0-9._-]{0,63}$/

/** Of permissions, such as `order:read`; at most 128 characters. */
export const permissionName = /^[A-Za-z0-9._-]+(?::[A-Za-z0-9._-]+)*$/

export const highestPriority = 1000

/** A role as it is shown. */
export const RoleItem = t.Object({
  roleId: t.String(),
  name: t.String(),
  displayName: t.String(),
  description: t.Optional(t.String()),
  priority: t.Integer(),
  isBuiltin: t.Boolean(),
  isActive: t.Boolean(),
  permissions: t.Array(t.String()),
})
export type RoleItem = OutputOf<typeof RoleItem>

const name = t.String({ pattern: roleName.source })
const fields = {
  displayName: t.String({ minLength: 1, maxLength: 100 }),
  description: t.Optional(t.String({ maxLength: 500 })),
  priority: t.Optional(t.Integer({ minimum: 0, maximum: highestPriority })),
  permissions: t.Optional(
    t.Array(t.String({ pattern: permissionName.source, maxLength: 128 }), { maxItems: 1000 }),
  ),
}

const roleId = t.Object({
  roleId: t.String({ description: 'The id of the role, from `listRoles`.' }),
})

const userId = t.Object({ userId: t.String({ description: 'The user who gets the role.' }) })

/** What a user has by now. */
const UserRoles = t.Object({
  userId: t.String(),
  role: t.String({ description: 'The role with the highest priority.' }),
  roles: t.Array(t.String(), { description: 'All roles of the user, the highest priority first.' }),
})

/** Who may do what is decided here, by superadmins only. */
export const roleContract = defineContract('roles', {
  at: '/_auth/admin',
  operations: {
    listRoles: allow.superadmin(
      route
        .get('/_auth/admin/roles')
        .answer(t.Object({ roles: t.Array(RoleItem) }))
        .describe({ summary: 'Lists every role, the highest priority first.' }),
    ),
    createAdminRole: allow.freshSuperadmin(
      route
        .post('/_auth/admin/roles')
        .input({ body: t.Object({ name, ...fields }) })
        .answer(t.Object({ role: RoleItem }), 201)
        .errors(RoleAlreadyExistsError, PermissionNotFoundError, ForbiddenError, ...proofRefusals)
        .describe({ summary: 'Creates a role.' }),
    ),
    updateAdminRole: allow.freshSuperadmin(
      route
        .patch('/_auth/admin/roles/:roleId')
        .input({ params: roleId, body: t.Partial(t.Object({ name, ...fields })) })
        .answer(t.Object({ role: RoleItem }))
        .errors(
          RoleNotFoundError,
          RoleAlreadyExistsError,
          PermissionNotFoundError,
          BuiltinRoleError,
          ForbiddenError,
          ...proofRefusals,
        )
        .describe({ summary: 'Changes the given fields of a role.' }),
    ),
    deleteAdminRole: allow.freshSuperadmin(
      route
        .delete('/_auth/admin/roles/:roleId')
        .input({ params: roleId })
        .answer(t.Undefined(), 204)
        .errors(
          RoleNotFoundError,
          RoleInUseError,
          BuiltinRoleError,
          ForbiddenError,
          ...proofRefusals,
        )
        .describe({ summary: 'Deletes a role that no user has.' }),
    ),
    updateUserRole: allow.freshSuperadmin(
      route
        .patch('/_auth/admin/users/:userId/role')
        .input({ params: userId, body: t.Object({ role: t.String() }) })
        .answer(t.Object({ userId: t.String(), role: t.String() }))
        .errors(
          UserNotFoundError,
          RoleNotFoundError,
          LastSuperadminError,
          ForbiddenError,
          ...proofRefusals,
        )
        .describe({
          summary: 'Replaces all roles of a user with this one, from their next request on.',
        }),
    ),
    addUserRole: allow.freshSuperadmin(
      route
        .post('/_auth/admin/users/:userId/roles')
        .input({ params: userId, body: t.Object({ role: t.String() }) })
        .answer(UserRoles)
        .errors(
          UserNotFoundError,
          RoleNotFoundError,
          ConflictError,
          ForbiddenError,
          ...proofRefusals,
        )
        .describe({
          summary: 'Adds a role to a user, from their next request on.',
        }),
    ),
    removeUserRole: allow.freshSuperadmin(
      route
        .delete('/_auth/admin/users/:userId/roles/:role')
        .input({
          params: t.Object({
            userId: t.String({ description: 'The user who loses the role.' }),
            role: t.String({ description: 'The name of the role.' }),
          }),
        })
        .answer(UserRoles)
        .errors(
          UserNotFoundError,
          RoleNotFoundError,
          LastSuperadminError,
          ConflictError,
          ForbiddenError,
          ...proofRefusals,
        )
        .describe({
          summary: 'Removes a role from a user who has others, from their next request on.',
        }),
    ),
  },
  errors: Object.values(errors),
})
