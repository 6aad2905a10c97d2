import type { InvitationItem, InvitationStatus } from './contract.ts'
import type { Invitation } from './store.ts'

export function invitationItem(row: Invitation, now: Date): InvitationItem {
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

/** What whoever invites is answered. */
export function invited({ invitationId, email, role, expiresAt }: Invitation) {
  return { invitationId, email, role, expiresAt: expiresAt.toISOString() }
}
