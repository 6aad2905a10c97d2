import type { Handlers, PermissionDeclaration } from '@svc/auth/server'
import type { OrganizationHeld } from '../membership/membership.ts'
import type { ofOperators } from './contract.ts'
import {
  addOwner,
  clearPolicies,
  closeAny,
  listAnyMembers,
  readAny,
  reopenAny,
  searchOrganizations,
} from './operators.ts'

/** What roles of the server may grant, unlike the permissions that roles of an organization have. */
export const operatorPermissions: readonly PermissionDeclaration[] = [
  { name: 'organization:read', displayName: 'See organizations', category: 'organization' },
  { name: 'organization:manage', displayName: 'Manage organizations', category: 'organization' },
]

export const operatorHandlers: Handlers<typeof ofOperators, OrganizationHeld> = {
  searchOrganizations: ({ auth, caller, query }) => searchOrganizations(auth, caller, query),
  readAnyOrganization: ({ auth, caller, params }) => readAny(auth, caller, params.organizationId),
  listAnyOrganizationMembers: ({ auth, caller, params, query }) =>
    listAnyMembers(auth, caller, { ...params, ...query }),
  closeAnyOrganization: ({ auth, ...request }) => closeAny(auth, request),
  async reopenAnyOrganization({ auth, c, ...request }) {
    await reopenAny(auth, request)
    return c.noContent()
  },
  async addAnyOrganizationOwner({ auth, c, ...request }) {
    await addOwner(auth, request)
    return c.noContent()
  },
  async clearAnyOrganizationPolicies({ auth, c, ...request }) {
    await clearPolicies(auth, request)
    return c.noContent()
  },
}
