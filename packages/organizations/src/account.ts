import type { Db, Tx } from '@svc/core'
import { forgetImported } from './imports/imports.ts'
import { forgetInvitationsOf, forgetOldInvitations } from './invitations/invitations.ts'
import { memberChanged } from './membership/events.ts'
import { findMember, type OrganizationHeld, store } from './membership/membership.ts'
import { endDue, forgetProgram } from './service-accounts/service-accounts.ts'
import { teamsOf } from './teams/teams.ts'

interface Account {
  readonly userId: string
  readonly email: string | null
}

type Forgetting = Pick<OrganizationHeld, 'audit' | 'clock'>

/** Takes a purged account out of its organizations. Where it was the last owner, another member becomes it. */
export async function forgetMember(tx: Tx, account: Account, auth: Forgetting) {
  const { userId } = account
  await forgetProgram(tx, userId)
  for (const { organizationId } of await store.lockOrganizationsOf(tx, userId)) {
    const membership = { organizationId, userId }
    const member = await findMember(tx, membership)
    // An admin may have removed it while this waited for the lock.
    if (!member) continue
    const isLast =
      member.roles.includes('owner') && (await store.countOtherOwners(tx, membership)) === 0
    await store.deleteMember(tx, membership)
    if (isLast) await passOn(tx, organizationId, auth)
    await memberChanged.emit(membership)
  }
  await forgetInvitationsOf(tx, account)
  await forgetImported(tx, userId)
}

/** An organization without members is deleted by the next sweep. */
async function passOn(tx: Tx, organizationId: string, { audit, clock }: Forgetting) {
  const at = clock.now()
  // No user does this, so the entries name none.
  const details = { organizationId, reason: 'last owner deleted' }
  const heir = await store.findHeir(tx, organizationId)
  if (!heir) {
    await audit(tx, 'organization.closed', { target: organizationId, details, at })
    return store.close(tx, { organizationId, at, purgeAt: at })
  }
  const { userId, roles } = heir
  await store.setRoles(tx, { organizationId, userId }, [...new Set(['owner', ...roles])])
  await audit(tx, 'organization.handed_over', { target: userId, details, at })
  return memberChanged.emit({ organizationId, userId })
}

/** The account's data for its export. */
export async function exportOrganizations(db: Db, { userId }: { userId: string }) {
  const rows = await store.organizationsOf(db, userId)
  const teams = await teamsOf(db, userId)
  return rows.map(({ organizationId, name, slug, roles }) => ({
    name,
    slug,
    roles,
    teams: teams
      .filter((team) => team.organizationId === organizationId)
      .map((team) => ({ name: team.name, roles: team.roles })),
  }))
}

const keptMillis = 90 * 86_400_000

export async function sweep(db: Db, now: Date, auth: Pick<OrganizationHeld, 'db' | 'parts'>) {
  await endDue(auth, now)
  await store.purge(db, now)
  await forgetOldInvitations(db, new Date(now.getTime() - keptMillis))
}
