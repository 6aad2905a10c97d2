import type { Db, Tx } from '@svc/core'
import { and, asc, eq, sql } from 'drizzle-orm'
import { SOCIAL_PROVIDERS } from '../../openid/social-providers.ts'
import { socialAccounts } from './schema.ts'

export type SocialAccountRow = typeof socialAccounts.$inferSelect

/** What names an account elsewhere, for all time. */
export interface Elsewhere {
  provider: string
  providerUserId: string
}

/** What a provider has given, as it is stored. */
export type KeptTokens = Pick<
  SocialAccountRow,
  'accessToken' | 'refreshToken' | 'accessTokenExpiresAt'
>

const is = ({ provider, providerUserId }: Elsewhere) =>
  and(eq(socialAccounts.provider, provider), eq(socialAccounts.providerUserId, providerUserId))

const of = (userId: string, provider: string) =>
  and(eq(socialAccounts.userId, userId), eq(socialAccounts.provider, provider))

export async function findByIdentity(db: Db, elsewhere: Elsewhere) {
  const [found] = await db.select().from(socialAccounts).where(is(elsewhere))
  return found ?? null
}

export async function findOfProvider(db: Db, userId: string, provider: string) {
  const [found] = await db.select().from(socialAccounts).where(of(userId, provider))
  return found ?? null
}

export function socialAccountsOf(db: Db, userId: string) {
  return db
    .select()
    .from(socialAccounts)
    .where(eq(socialAccounts.userId, userId))
    .orderBy(asc(socialAccounts.linkedAt), socialAccounts.provider)
}

/** False when either side is linked already, whoever was faster. */
export async function insertLink(tx: Tx, link: typeof socialAccounts.$inferInsert) {
  // A row of a provider that nobody has registered could be nobody's way in.
  if (!SOCIAL_PROVIDERS.has(link.provider)) {
    throw new Error(`${link.provider} is not among SOCIAL_PROVIDERS.`)
  }
  const inserted = await tx
    .insert(socialAccounts)
    .values(link)
    .onConflictDoNothing()
    .returning({ userId: socialAccounts.userId })
  return inserted.length === 1
}

/** A provider gives a refresh token with the first consent only: one that does not come is kept. */
export async function noteUse(
  tx: Tx,
  elsewhere: Elsewhere,
  { tokens, now }: { tokens: KeptTokens | null; now: Date },
) {
  const refreshToken = tokens?.refreshToken ?? socialAccounts.refreshToken
  await tx
    .update(socialAccounts)
    .set({ lastUsedAt: now, ...(tokens && { ...tokens, refreshToken: sql`${refreshToken}` }) })
    .where(is(elsewhere))
}

/** Deletes the very link that was read: null when it was gone, also where another has come in its place. */
export async function deleteLink(tx: Tx, link: SocialAccountRow) {
  const { userId, linkedAt } = link
  const same = and(eq(socialAccounts.userId, userId), eq(socialAccounts.linkedAt, linkedAt))
  const [gone] = await tx
    .delete(socialAccounts)
    .where(and(is(link), same))
    .returning()
  return gone ?? null
}
