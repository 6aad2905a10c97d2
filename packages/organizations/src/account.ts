import type { Db, Tx } from '@svc/core'
import { forgetDomainsOf } from './domains/domains.ts'
import { forgetImported } from './imports/imports.ts'
import { forgetInvitationsOf, forgetOldInvitations } from './invitations/invitations.ts'
import { memberChanged } from './membership/events.ts'
import {
  findMember,
  forgetRemovalsOf,
  type OrganizationHeld,
  store,
} from './membership/membership.ts'
import { tellOfOwner } from './notices/notices.ts'
import { endDue, forgetProgram } from './service-accounts/service-accounts.ts'

interface Account {
  readonly userId: string
  readonly email: string | null
}

type Forgetting = Pick<OrganizationHeld, 'appUrl' | 'audit' | 'clock' | 'log' | 'organizationsPage'>

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
  await forgetDomainsOf(tx, userId)
  await forgetRemovalsOf(tx, userId)
  await forgetImported(tx, userId)
}

/** An organization without members is deleted by the next sweep. */
async function passOn(tx: Tx, organizationId: string, auth: Forgetting) {
  const { audit, clock } = auth
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
  await memberChanged.emit({ organizationId, userId })
  return tellOfOwner(tx, auth, { organizationId, owner: userId, how: 'last owner deleted' })
}

const keptMillis = 90 * 86_400_000

export async function sweep(db: Db, now: Date, auth: Pick<OrganizationHeld, 'db' | 'parts'>) {
  await endDue(auth, now)
  await store.purge(db, now)
  await forgetOldInvitations(db, new Date(now.getTime() - keptMillis))
}
