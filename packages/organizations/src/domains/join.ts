import { getCallerFacts, lockAccount } from '@svc/auth/server'
import { OrganizationNotFoundError } from '../membership/errors.ts'
import {
  type By,
  domainOf,
  findMember,
  isAllowed,
  lockOrganization,
  type OrganizationHeld,
  refuseOtherDomain,
} from '../membership/membership.ts'
import { noteJoined, shownTo } from '../organizations/organizations.ts'
import * as store from './store.ts'

/** The organizations that have proved the domain of the caller’s address. */
export async function listJoinable({ db, clock }: OrganizationHeld, userId: string) {
  // The address of an account that has proved it.
  const email = (await getCallerFacts(userId))?.email
  if (!email) return []
  const domain = domainOf(email)
  const found = await store.joinable(db, { domain, userId, at: clock.now() })
  return found
    .filter(({ policies }) => isAllowed(policies, email))
    .map(({ organizationId, name }) => ({ organizationId, name, domain }))
}

/** Makes the caller a member, if the organization has proved the domain of an address that the account has proved. */
export async function joinOrganization(auth: OrganizationHeld, organizationId: string, by: By) {
  const { userId } = by
  await auth.limits.take('organization join by account', userId)
  const at = auth.clock.now()
  return auth.db.transaction(async (tx) => {
    // Before the organization, in the order of a purge.
    const account = await lockAccount(tx, userId)
    if (!account?.email || !account.emailVerifiedAt || account.status !== 'active') throw notYours()
    const membership = { organizationId, userId }
    const domain = domainOf(account.email)
    // Otherwise everyone could make the members of any organization wait for its row.
    const [open] = await store.joinable(tx, { domain, userId, at })
    const mayJoin = open?.organizationId === organizationId
    if (!mayJoin && !(await findMember(tx, membership))) throw notYours()
    const organization = await lockOrganization(tx, organizationId)
    const joined = await store.insertJoining(tx, { ...membership, domain, at })
    if (joined) {
      refuseOtherDomain(organization.policies, account.email)
      await noteJoined(auth, tx, { organizationId, by, details: { domain, roles: joined.roles } })
    }
    const answer = await shownTo(auth, tx, { row: organization, userId })
    if (!answer) throw notYours()
    return answer
  })
}

/** The same as where there is no such organization, or a closed one: `lockOrganization` throws it. */
const notYours = () => new OrganizationNotFoundError()
