import type { Db, Tx } from '@svc/core'
import { and, eq, inArray, isNotNull, ne, or } from 'drizzle-orm'
import { deviceKeys } from './schema.ts'

/**
 * How a key may end that leaves its browser known. Signing out is what a known browser comes back from, and who has
 * asked for the account's deletion must find the way back. Every other end says that the device is not trusted.
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

/** Forgets the browsers that have signed out, too, where accounts are signed out everywhere. */
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

/** Forgets the browser of one key that has signed out by itself: its owner has taken it back after that. */
export async function forgetKnownId(tx: Tx, { keyId, userId }: { keyId: string; userId: string }) {
  await tx
    .update(deviceKeys)
    .set({ knownId: null })
    .where(and(eq(deviceKeys.keyId, keyId), eq(deviceKeys.userId, userId)))
}
