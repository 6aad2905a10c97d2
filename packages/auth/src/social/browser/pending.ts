import type { Db, Tx } from '@svc/core'
import { and, eq, gt, lte, sql } from 'drizzle-orm'
import type { LockedAccount } from '../../accounts/accounts.ts'
import type { NewDeviceKey } from '../../capability/fields.ts'
import { hashToken, newToken, type TokenHash } from '../../crypto/crypto.ts'
import { displayText } from '../../display-text.ts'
import { CallbackError } from './callback-failure.ts'
import { oauthPending } from './schema.ts'
import type { OAuthState } from './state.ts'

// From the callback to the page that finalizes: a redirect, and the page load.
export const pendingMillis = 5 * 60_000

interface Arrived {
  account: LockedAccount
  isNewUser: boolean
  state: Pick<OAuthState, 'provider' | 'returnUrl' | 'key'>
  now: Date
}

/** A key that was sent ahead is found by its id. It must sign, so its id need not be a secret. */
export const hashOfKey = (keyId: string) => hashToken(`key ${keyId}`)

/**
 * Stores a user's arrival until the page behind the callback finalizes. Returns the secret for a
 * browser without a key, and null if the key signs for it.
 */
export async function waitForFinalize(tx: Tx, { account, isNewUser, state, now }: Arrived) {
  const { provider, returnUrl, key } = state
  const token = newToken()
  const row = {
    hash: key ? hashOfKey(key.keyId) : hashToken(token),
    userId: account.userId,
    generation: account.generation,
    provider,
    isNewUser,
    ...columnsOf(key),
    returnUrl,
    expiresAt: new Date(now.getTime() + pendingMillis),
  }
  // Another account waits with a key of that id.
  if (!(await putPending(tx, row, now))) throw new CallbackError('state_invalid')
  return key ? null : token
}

function columnsOf(key: NewDeviceKey | null) {
  return {
    publicKey: key?.publicKey ?? null,
    keyId: key?.keyId ?? null,
    fingerprint: key?.fingerprint ?? null,
    algorithm: key?.algorithm ?? null,
    deviceName: displayText(key?.deviceName, 64),
    platform: key?.platform ?? null,
  }
}

export type PendingRow = typeof oauthPending.$inferSelect

/**
 * False if another account waits there: it isn't replaced. A user who comes again in time has given
 * up the earlier sign-in.
 */
async function putPending(tx: Tx, row: PendingRow & { hash: TokenHash }, now: Date) {
  const { userId, expiresAt } = oauthPending
  const isFree = sql`${lte(expiresAt, now)} or ${eq(userId, row.userId)}`
  const put = await tx
    .insert(oauthPending)
    .values(row)
    .onConflictDoUpdate({ target: oauthPending.hash, set: row, setWhere: isFree })
    .returning({ hash: oauthPending.hash })
  return put.length === 1
}

const live = (hash: TokenHash, now: Date) =>
  and(eq(oauthPending.hash, hash), gt(oauthPending.expiresAt, now))

export async function findPending(db: Db, hash: TokenHash, now: Date) {
  const [found] = await db.select().from(oauthPending).where(live(hash, now))
  return found ?? null
}

/** False for the second of two requests that finish it. */
export async function spendPending(tx: Tx, hash: TokenHash, now: Date) {
  const spent = await tx
    .delete(oauthPending)
    .where(live(hash, now))
    .returning({ hash: oauthPending.hash })
  return spent.length === 1
}

/** Deletes the sign-ins that were not finished in time. */
export async function forgetPending(db: Db, now: Date) {
  await db.delete(oauthPending).where(lte(oauthPending.expiresAt, now))
}

export async function forgetPendingOf(tx: Tx, userId: string) {
  await tx.delete(oauthPending).where(eq(oauthPending.userId, userId))
}

/** Deletes the waiting sign-ins to an account by one provider. */
export async function forgetPendingBy(
  tx: Tx,
  { userId, provider }: { userId: string; provider: string },
) {
  const own = and(eq(oauthPending.userId, userId), eq(oauthPending.provider, provider))
  await tx.delete(oauthPending).where(own)
}

/** Deletes every sign-in that waits for a provider. Returns how many there were. */
export async function forgetEveryPending(db: Db) {
  const { rowCount } = await db.delete(oauthPending)
  return rowCount ?? 0
}
