import type { Db, Tx } from '@svc/core'
import { type AnyColumn, and, eq, gte, inArray, isNotNull, ne, or, sql } from 'drizzle-orm'
import { deviceKeys } from './schema.ts'
import { inState } from './store.ts'

interface Proof {
  userId: string
  keyId: string
  now: Date
}

/** The second factor was proved on this device now. False if its key no longer signs. */
export async function noteProof(tx: Tx, { now, ...key }: Proof) {
  const noted = await tx
    .update(deviceKeys)
    .set({ secondFactorProvedAt: now })
    .where(inState(key, 'active'))
    .returning({ keyId: deviceKeys.keyId })
  return noted.length === 1
}

/** Notes that the user gave a fresh proof on this device now, without a sign-in. False if its key has ended. */
export async function noteRecentProof(tx: Tx, { now, ...key }: Proof) {
  const noted = await tx
    .update(deviceKeys)
    .set({ authenticatedAt: sql`greatest(${deviceKeys.authenticatedAt}, ${now})` })
    .where(and(inState(key, 'active'), eq(deviceKeys.kind, 'device')))
    .returning({ keyId: deviceKeys.keyId })
  return noted.length === 1
}

/** Whether this device's proof of the second factor is still valid. */
export async function isProofKept(
  tx: Tx,
  { provedAt, ...key }: Omit<Proof, 'now'> & { provedAt: Date },
) {
  const kept = and(inState(key, 'active'), gte(deviceKeys.secondFactorProvedAt, provedAt))
  return (await tx.$count(deviceKeys, kept)) > 0
}

/** Whether a device has proved the second factor of a row's account after a moment of that row. */
export function isFactorProvedSince(userId: AnyColumn, since: AnyColumn) {
  return sql`exists (select from ${deviceKeys} where ${deviceKeys.userId} = ${userId}
    and ${deviceKeys.secondFactorProvedAt} > ${since})`
}

/** Voids the second-factor proofs of all devices of the account except one. */
export async function forgetProofs(tx: Tx, userId: string, except: string | null = null) {
  await tx
    .update(deviceKeys)
    .set({ secondFactorProvedAt: null })
    .where(and(eq(deviceKeys.userId, userId), ne(deviceKeys.keyId, except ?? '')))
}

/**
 * The reasons for which a key may end while its browser stays known. After a sign-out, the user signs in again there;
 * after a request for deletion, the owner must be able to restore the account. Every other reason means that the device
 * is not trusted.
 */
const leavesKnown = ['logout', 'deletion_requested']

interface Shown {
  userId: string
  knownIds: readonly string[]
}

/** The first of the ids under which the account still knows a browser. */
export async function findKnownId(db: Db, { userId, knownIds }: Shown) {
  const hasSignedOut = and(
    eq(deviceKeys.state, 'revoked'),
    inArray(deviceKeys.revokedReason, leavesKnown),
  )
  const [known] = await db
    .select({ knownId: deviceKeys.knownId })
    .from(deviceKeys)
    .where(
      and(
        eq(deviceKeys.userId, userId),
        inArray(deviceKeys.knownId, [...knownIds]),
        or(eq(deviceKeys.state, 'active'), hasSignedOut),
      ),
    )
    .limit(1)
  return known?.knownId ?? null
}

/** When accounts are signed out everywhere, forgets the browsers that have already signed out, too. */
export async function forgetKnownIds(
  tx: Tx,
  { userIds, spare, reason }: { userIds: string[]; spare: string | null; reason: string },
) {
  if (leavesKnown.includes(reason)) return
  await tx
    .update(deviceKeys)
    .set({ knownId: null })
    .where(
      and(
        inArray(deviceKeys.userId, userIds),
        ne(deviceKeys.keyId, spare ?? ''),
        isNotNull(deviceKeys.knownId),
      ),
    )
}

/** Forgets the browser of a key that signed out by itself and that the owner has revoked after that. */
export async function forgetKnownId(tx: Tx, { keyId, userId }: { keyId: string; userId: string }) {
  await tx
    .update(deviceKeys)
    .set({ knownId: null })
    .where(and(eq(deviceKeys.keyId, keyId), eq(deviceKeys.userId, userId)))
}
