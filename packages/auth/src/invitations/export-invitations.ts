import type { Db } from '@svc/core'
import { desc, eq } from 'drizzle-orm'
import { mostExported } from '../accounts/most-exported.ts'
import { invitations } from './schema.ts'

// Columns are named one by one: a secret that the table gets later is not exported by itself.

/** Those that the account has sent, or has accepted. */
function exportInvitations(db: Db, userId: string, as: 'invitedBy' | 'acceptedBy') {
  return db
    .select({
      invitationId: invitations.invitationId,
      email: invitations.email,
      role: invitations.role,
      state: invitations.state,
      createdAt: invitations.createdAt,
      endedAt: invitations.endedAt,
    })
    .from(invitations)
    .where(eq(invitations[as], userId))
    .orderBy(desc(invitations.createdAt))
    .limit(mostExported)
}

export async function exportInvitationsOf(db: Db, { userId }: { userId: string }) {
  const sent = await exportInvitations(db, userId, 'invitedBy')
  const accepted = await exportInvitations(db, userId, 'acceptedBy')
  return { sent, accepted }
}
