import type { Tx } from '@svc/core'
import { and, desc, eq, ne, sql } from 'drizzle-orm'
import { deviceKeys } from './schema.ts'

interface Own {
  userId: string
  fingerprint: string
  now: Date
}

/**
 * The account's key that is this very one. If it was registered several times, the one that signs
 * now.
 */
export async function findOwnKey(tx: Tx, { userId, fingerprint, now }: Own) {
  const { keyId, state, expiresAt } = deviceKeys
  const isLive = sql<boolean>`${state} = 'active' and ${expiresAt} > ${now}`
  const [found] = await tx
    .select({ keyId, isLive })
    .from(deviceKeys)
    .where(and(eq(deviceKeys.userId, userId), eq(deviceKeys.fingerprint, fingerprint)))
    .orderBy(desc(isLive), keyId)
    .limit(1)
  return found ?? null
}

/** Until when a key signs, and whether it does. Null for one of an operator, which depends on its operator too. */
export async function findKeyLife(tx: Tx, keyId: string) {
  const { state, expiresAt: keyExpiresAt, keyId: id, kind } = deviceKeys
  const [found] = await tx
    .select({ state, keyExpiresAt })
    .from(deviceKeys)
    .where(and(eq(id, keyId), ne(kind, 'support')))
  return found ?? null
}
