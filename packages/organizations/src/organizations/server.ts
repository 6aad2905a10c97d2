import type { Handlers } from '@svc/auth/server'
import {
  byCaller,
  type OrganizationHeld,
  type OrganizationStanding,
} from '../membership/membership.ts'
import type { ofOrganizations } from './contract.ts'
import {
  closeOrganization,
  createOrganization,
  listOrganizations,
  reopenOrganization,
  updateOrganization,
} from './organizations.ts'

export const organizationHandlers: Handlers<typeof ofOrganizations, OrganizationHeld> = {
  async createOrganization({ auth, caller, body, origin, c }) {
    return c.created(await createOrganization(auth, body, byCaller(caller, origin)))
  },
  async listOrganizations({ auth, caller, origin }) {
    return { organizations: await listOrganizations(auth, byCaller(caller, origin)) }
  },
  getOrganization({ standing }) {
    const found = standing as OrganizationStanding
    const { id: organizationId, name, slug, createdAt, secondFactorBy, ...may } = found
    return {
      organizationId,
      name,
      slug,
      createdAt,
      roles: [...may.roles],
      permissions: [...may.permissions],
      unmet: [...may.unmet],
      ...(secondFactorBy && { secondFactorBy: secondFactorBy.toISOString() }),
    }
  },
  updateOrganization: ({ auth, standing, caller, body, origin }) =>
    updateOrganization(auth, body, { standing, by: byCaller(caller, origin) }),
  closeOrganization: ({ auth, standing, caller, origin }) =>
    closeOrganization(auth, { standing, by: byCaller(caller, origin) }),
  reopenOrganization: ({ auth, caller, body, origin }) =>
    reopenOrganization(auth, body.organizationId, byCaller(caller, origin)),
}
