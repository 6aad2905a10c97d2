import type { Handlers } from '@svc/auth/server'
import { byCaller, type OrganizationHeld } from '../membership/membership.ts'
import type { ofDomains } from './contract.ts'
import { addDomain, listDomains, removeDomain, verifyDomain } from './domains.ts'
import { joinOrganization, listJoinable } from './join.ts'

export const domainHandlers: Handlers<typeof ofDomains, OrganizationHeld> = {
  async addOrganizationDomain({ auth, standing, caller, body, origin, c }) {
    return c.created(await addDomain(auth, body, { standing, by: byCaller(caller, origin) }))
  },
  async listOrganizationDomains({ auth, standing }) {
    return { domains: await listDomains(auth, standing) }
  },
  verifyOrganizationDomain: ({ auth, standing, caller, params: { domain }, origin }) =>
    verifyDomain(auth, { standing, domain, by: byCaller(caller, origin) }),
  async removeOrganizationDomain({ auth, standing, caller, params: { domain }, origin, c }) {
    await removeDomain(auth, { standing, domain, by: byCaller(caller, origin) })
    return c.noContent()
  },
  async listJoinableOrganizations({ auth, caller }) {
    return { organizations: await listJoinable(auth, caller.userId) }
  },
  joinOrganization: ({ auth, caller, body, origin }) =>
    joinOrganization(auth, body.organizationId, byCaller(caller, origin)),
}

export { allPublicMailDomains } from './public-mail-domains.ts'
export { checkDomains } from './recheck.ts'
