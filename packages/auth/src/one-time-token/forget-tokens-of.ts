import type { Tx } from '@svc/core'
import { eq } from 'drizzle-orm'
import { oneTimeTokens } from './schema.ts'

/** For an account that goes. */
export async function forgetTokensOf(tx: Tx, userId: string) {
  await tx.delete(oneTimeTokens).where(eq(oneTimeTokens.userId, userId))
}
