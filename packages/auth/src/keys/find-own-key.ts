import type { Tx } from '@svc/core'
import { and, desc, eq, sql } from 'drizzle-orm'
import { deviceKeys } from './schema.ts'

interface Own {
  userId: string
  fingerprint: string
  now: Date
}

/** The key of an account that is this very one: where it has been more than one, the one that signs now. */
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
