import type { Tx } from '@svc/core'
import { recordAudit } from '../audit/audit.ts'
import type { Needs } from '../auth.ts'
import type { Caller, FreshCaller, ProvableCaller, RequestOrigin } from '../caller/caller.ts'
import { inTransaction } from '../in-transaction.ts'
import { lockCaller } from '../keys/keys.ts'
import { findRole, holdSuperadmin } from '../roles/roles.ts'
import type { InvitationItem, InvitationStatus } from './contract.ts'
import { InvitationClosedError, InvitationNotFoundError } from './errors.ts'
import { grantRole, refuseGrant } from './grant.ts'
import type { Invitation } from './store.ts'
import * as store from './store.ts'

interface InvitationQuery {
  status?: InvitationStatus | undefined
  page?: number | undefined
  limit?: number | undefined
}

export async function listInvitations(
  { db, clock }: Needs<'db' | 'clock'>,
  { status, page = 1, limit = 20 }: InvitationQuery,
) {
  const now = clock.now()
  const [rows, total] = await store.list(db, { status, page, limit, now })
  return { items: rows.map((row) => invitationItem(row, now)), page, limit, total }
}

interface NamedInvitation {
  caller: Caller
  invitationId: string
  origin: RequestOrigin
}

/** Cancels an invitation. A user who could not have made it can't cancel it either. */
export async function cancelInvitation(
  { db, clock }: Needs<'db' | 'clock'>,
  { caller, invitationId, origin }: NamedInvitation,
) {
  const now = clock.now()
  return inTransaction(db, async (tx) => {
    const { userId } = await lockCaller(tx, caller)
    const role = await findRoleOf(tx, invitationId)
    await refuseGrant(tx, caller, role)
    const cancelled = await store.cancel(tx, invitationId, now)
    if (!cancelled) throw new InvitationClosedError()
    const done = { actor: userId, target: invitationId, origin, at: now }
    await recordAudit(tx, { act: 'invitation.cancelled', ...done })
    return invitationItem(cancelled, now)
  })
}

/** Has another link mailed. The same commit voids the earlier one. */
export async function resendInvitation(
  auth: Needs<'db' | 'clock' | 'env' | 'configuration' | 'rolesAtGates' | 'limits' | 'linkMail'>,
  { caller, invitationId, origin }: NamedInvitation & { caller: ProvableCaller },
) {
  const { db, clock, limits, linkMail } = auth
  await limits.take('invitation by account', caller.userId)
  const now = clock.now()
  return inTransaction(db, async (tx) => {
    const { userId } = await lockCaller(tx, caller)
    const found = await findRoleOf(tx, invitationId)
    const role = await grantRole(tx, auth, { caller, role: found, operation: 'resendInvitation' })
    const by = { invitedBy: userId, locale: caller.locale, now }
    const renewed = await store.renew(tx, invitationId, { role, ...by })
    if (!renewed) throw new InvitationClosedError()
    const done = { actor: userId, target: invitationId, origin, at: now }
    await recordAudit(tx, { act: 'invitation.resent', ...done })
    await linkMail.order(tx, { kind: 'invitation', id: invitationId })
    return invited(renewed)
  })
}

/** Deletes the row. The account that it opened stays as it is. */
export async function deleteInvitation(
  { db, clock }: Needs<'db' | 'clock'>,
  { caller, invitationId, origin }: NamedInvitation & { caller: FreshCaller },
) {
  await inTransaction(db, async (tx) => {
    const { userId } = await holdSuperadmin(tx, caller)
    if (!(await store.remove(tx, invitationId))) throw new InvitationNotFoundError()
    const done = { actor: userId, target: invitationId, origin, at: clock.now() }
    await recordAudit(tx, { act: 'invitation.deleted', ...done })
  })
}

/** The role of an invitation, in any state, by its id. */
async function findRoleOf(tx: Tx, invitationId: string) {
  const invitation = await store.find(tx, invitationId)
  // A deleted role deletes its invitations.
  const role = invitation && (await findRole(tx, invitation.role))
  if (!role) throw new InvitationNotFoundError()
  return role
}

function invitationItem(row: Invitation, now: Date): InvitationItem {
  const { invitationId, email, role, invitedBy, metadata, state, endedAt } = row
  return {
    invitationId,
    email,
    role,
    status: statusOf(row, now),
    ...(invitedBy && { invitedBy }),
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    ...(state === 'accepted' && endedAt && { acceptedAt: endedAt.toISOString() }),
    ...(metadata && { metadata }),
  }
}

function statusOf({ state, expiresAt }: Invitation, now: Date): InvitationStatus {
  return state === 'pending' && expiresAt <= now ? 'expired' : state
}

/** The response for the inviter. */
export function invited({ invitationId, email, role, expiresAt }: Invitation) {
  return { invitationId, email, role, expiresAt: expiresAt.toISOString() }
}
