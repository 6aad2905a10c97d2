import type { Tx } from '@svc/core'
import { eq } from 'drizzle-orm'
import { socialAccounts } from './schema.ts'

/** The links stay, so that an account that is restored is found again; what they hold of the provider's goes. */
export async function dropTokens(tx: Tx, userId: string) {
  await tx
    .update(socialAccounts)
    .set({ accessToken: null, refreshToken: null, accessTokenExpiresAt: null })
    .where(eq(socialAccounts.userId, userId))
}

export async function deleteLinksOf(tx: Tx, userId: string) {
  await tx.delete(socialAccounts).where(eq(socialAccounts.userId, userId))
}
