import type { Tx } from '@svc/core'
import { eq, or } from 'drizzle-orm'
import type { LockedAccount } from '../accounts/lock-account.ts'
import { invitations } from './schema.ts'

/**
 * For an account that goes: the address that was invited is its own, also where it was registered without the
 * invitation. Those that it sent are other people’s.
 */
export async function forgetInvitationsOf(
  tx: Tx,
  { userId, email }: Pick<LockedAccount, 'userId' | 'email'>,
) {
  const accepted = eq(invitations.acceptedBy, userId)
  await tx
    .delete(invitations)
    .where(email === null ? accepted : or(accepted, eq(invitations.email, email)))
}
