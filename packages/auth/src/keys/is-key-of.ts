import type { Db } from '@svc/core'
import { and, eq } from 'drizzle-orm'
import type { CheckedKey } from '../capability/ways.ts'
import { deviceKeys } from './schema.ts'

/** Whether this very key is one of a device that the account signs with already. */
export async function isKeyOf(db: Db, { keyId, publicKey }: CheckedKey, userId: string) {
  const same = and(
    eq(deviceKeys.keyId, keyId),
    eq(deviceKeys.publicKey, publicKey),
    eq(deviceKeys.userId, userId),
    eq(deviceKeys.state, 'active'),
    eq(deviceKeys.kind, 'device'),
  )
  return (await db.$count(deviceKeys, same)) > 0
}
