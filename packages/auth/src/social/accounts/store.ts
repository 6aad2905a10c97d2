import type { Db, Tx } from '@svc/core'
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { LockedAccount } from '../../accounts/accounts.ts'
import { SOCIAL_PROVIDERS } from '../../providers/fields.ts'
import { socialAccounts } from './schema.ts'

export type SocialAccountRow = typeof socialAccounts.$inferSelect

/** What identifies an account elsewhere, permanently. */
export interface Elsewhere {
  provider: string
  providerUserId: string
}

/** A provider's tokens as they are stored. */
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

/** False if either side is linked already, by any request. */
export async function insertLink(tx: Tx, link: typeof socialAccounts.$inferInsert) {
  // A row of a provider that is not registered could never be used to sign in.
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

/** A provider may return a refresh token with the first consent only, so an earlier one is kept. */
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

/**
 * Deletes the very link that was read. Null if it no longer exists, even if another has replaced
 * it.
 */
export async function deleteLink(tx: Tx, link: SocialAccountRow) {
  const { userId, linkedAt } = link
  const same = and(eq(socialAccounts.userId, userId), eq(socialAccounts.linkedAt, linkedAt))
  const [gone] = await tx
    .delete(socialAccounts)
    .where(and(is(link), same))
    .returning()
  return gone ?? null
}

/** How many of these providers sign in to an account. */
export function countLinked(tx: Tx, userId: string, providers: readonly string[]) {
  const known = inArray(socialAccounts.provider, [...providers])
  return tx.$count(socialAccounts, and(eq(socialAccounts.userId, userId), known))
}

/** The account that it is linked to by now, or null. */
export async function findLinked(db: Db, elsewhere: Elsewhere) {
  return (await findByIdentity(db, elsewhere))?.userId ?? null
}

/**
 * A link that an account had in the system it comes from. False if either side is linked already.
 */
export function importLink(
  tx: Tx,
  { userId }: LockedAccount,
  link: Elsewhere & { linkedAt: Date },
) {
  return insertLink(tx, { ...link, userId })
}

/** The accounts elsewhere, without their providers' tokens. */
export async function exportSocialAccounts(db: Db, userId: string) {
  const accounts = await socialAccountsOf(db, userId)
  return accounts.map(({ provider, providerUserId, linkedAt, lastUsedAt }) => ({
    provider,
    providerUserId,
    linkedAt,
    lastUsedAt,
  }))
}

/** The links stay, so that a restored account is found again; the provider's tokens are deleted. */
export async function dropTokens(tx: Tx, userId: string) {
  await tx
    .update(socialAccounts)
    .set({ accessToken: null, refreshToken: null, accessTokenExpiresAt: null })
    .where(eq(socialAccounts.userId, userId))
}

export async function deleteLinksOf(tx: Tx, userId: string) {
  await tx.delete(socialAccounts).where(eq(socialAccounts.userId, userId))
}
