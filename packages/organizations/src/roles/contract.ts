import { allow, limitRefusals } from '@svc/auth/contract'
import { route, t } from '@svc/core/contract'
import {
  at,
  currentPassword,
  id,
  name,
  nothing,
  ofOne,
  ofOrg,
  roleName,
} from '../membership/contract.ts'
import {
  MoreThanOwnRoleError,
  OrganizationFullError,
  OrganizationRoleExistsError,
  OrganizationRoleNotFoundError,
} from '../membership/errors.ts'

/** A role in an organization: a built-in one, or one that the organization has made. */
export const OrganizationRole = t.Object({
  name: t.String(),
  displayName: t.String(),
  permissions: t.Array(t.String()),
  isBuiltIn: t.Boolean(),
})

const permissions = t.Array(t.String(), { maxItems: 200 })
const ofRole = t.Object({ org: id, role: roleName })

export const ofRoles = {
  listOrganizationRoles: allow.in(
    'organization',
    'support too',
  )(
    route
      .get(`${at}/:org/roles`)
      .input(ofOne)
      .answer(
        t.Object({
          roles: t.Array(OrganizationRole),
          permissions: t.Array(t.Object({ name: t.String(), displayName: t.String() })),
        }),
      )
      .describe({ summary: 'Lists the roles of an organization, and the permissions there are.' }),
  ),
  createOrganizationRole: allow.freshInMay(
    'organization',
    'role:manage',
  )(
    route
      .post(`${at}/:org/roles`)
      .input({
        params: ofOrg,
        body: t.Object({ name: roleName, displayName: name, permissions, currentPassword }),
      })
      .answer(OrganizationRole, 201)
      .errors(
        OrganizationRoleExistsError,
        MoreThanOwnRoleError,
        OrganizationFullError,
        ...limitRefusals,
      )
      .describe({ summary: 'Makes a role that permits no more than those of the caller.' }),
  ),
  updateOrganizationRole: allow.freshInMay(
    'organization',
    'role:manage',
  )(
    route
      .patch(`${at}/:org/roles/:role`)
      .input({
        params: ofRole,
        body: t.Object({
          displayName: t.Optional(name),
          permissions: t.Optional(permissions),
          currentPassword,
        }),
      })
      .answer(OrganizationRole)
      .errors(OrganizationRoleNotFoundError, MoreThanOwnRoleError, ...limitRefusals)
      .describe({ summary: 'Changes a role that permits no more than those of the caller.' }),
  ),
  deleteOrganizationRole: allow.freshInMay(
    'organization',
    'role:manage',
  )(
    route
      .delete(`${at}/:org/roles/:role`)
      .input({ params: ofRole })
      .answer(nothing, 204)
      .errors(OrganizationRoleNotFoundError, MoreThanOwnRoleError, ...limitRefusals)
      .describe({
        summary:
          'Deletes a role, and cancels invitations that offer it. Members who have no other role are `member` from then on.',
      }),
  ),
}
