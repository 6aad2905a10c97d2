import type { Tx } from '@svc/core'
import { and, eq, gt } from 'drizzle-orm'
import { deviceKeys } from './schema.ts'

interface Own {
  userId: string
  fingerprint: string
  now: Date
}

/** The live key of an account that is this very one. */
export async function findOwnKey(tx: Tx, { userId, fingerprint, now }: Own) {
  const [found] = await tx
    .select({ keyId: deviceKeys.keyId })
    .from(deviceKeys)
    .where(
      and(
        eq(deviceKeys.userId, userId),
        eq(deviceKeys.fingerprint, fingerprint),
        eq(deviceKeys.state, 'active'),
        gt(deviceKeys.expiresAt, now),
      ),
    )
    .limit(1)
  return found ?? null
}
