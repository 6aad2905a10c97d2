import type { Tx } from '@svc/core'
import { eq } from 'drizzle-orm'
import { contactChanges } from './schema.ts'

/** For an account that goes. Its addresses and numbers are in them, older ones too. */
export async function forgetContactChangesOf(tx: Tx, userId: string) {
  await tx.delete(contactChanges).where(eq(contactChanges.userId, userId))
}
