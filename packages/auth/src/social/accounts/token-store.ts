import type { Db } from '@svc/core'
import { and, eq, sql } from 'drizzle-orm'
import { socialAccounts } from './schema.ts'
import type { Elsewhere, KeptTokens, SocialAccountRow } from './store.ts'

// Each writes only in the place of the very text that was read: what a sign-in has brought meanwhile stays (R33).

const of = ({ provider, providerUserId }: Elsewhere) =>
  and(eq(socialAccounts.provider, provider), eq(socialAccounts.providerUserId, providerUserId))

/** Puts another encryption of the same token in its place. */
export async function resealAccessToken(db: Db, link: SocialAccountRow, accessToken: string) {
  const same = eq(socialAccounts.accessToken, link.accessToken ?? '')
  await db
    .update(socialAccounts)
    .set({ accessToken })
    .where(and(of(link), same))
}

/** What a refresh token was good for. False when another has come meanwhile, or the tokens have gone. */
export async function putRenewed(db: Db, link: SocialAccountRow, kept: KeptTokens) {
  const put = await db
    .update(socialAccounts)
    .set(kept)
    .where(and(of(link), eq(socialAccounts.refreshToken, link.refreshToken ?? '')))
    .returning({ userId: socialAccounts.userId })
  return put.length === 1
}

/** Forgets tokens that the provider takes no more. False when another of the two has come meanwhile. */
export async function clearDeadTokens(db: Db, link: SocialAccountRow) {
  const sameAccess = sql`${socialAccounts.accessToken} is not distinct from ${link.accessToken}`
  const cleared = await db
    .update(socialAccounts)
    .set({ accessToken: null, refreshToken: null, accessTokenExpiresAt: null })
    .where(and(of(link), eq(socialAccounts.refreshToken, link.refreshToken ?? ''), sameAccess))
    .returning({ userId: socialAccounts.userId })
  return cleared.length === 1
}
