import type { Tx } from '@svc/core'
import { eq } from 'drizzle-orm'
import { invitations } from './schema.ts'

/** For an account that goes: the address that was invited is its own. Those that it sent are other people’s. */
export async function forgetAcceptedBy(tx: Tx, userId: string) {
  await tx.delete(invitations).where(eq(invitations.acceptedBy, userId))
}
