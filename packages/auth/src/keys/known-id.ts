import type { Db, Tx } from '@svc/core'
import { and, eq, inArray, isNotNull, ne, or } from 'drizzle-orm'
import { deviceKeys } from './schema.ts'

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
