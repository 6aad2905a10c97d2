import type { Tx } from '@svc/core'
import { and, eq, ne } from 'drizzle-orm'
import type { CheckedKey } from '../capability/ways.ts'
import { KeyIdAlreadyRegisteredError } from '../crypto/errors.ts'
import { deviceKeys } from './schema.ts'

/**
 * For credentials that name a public key: they are good for one key id. Under another they would bring a device back
 * that was signed out.
 */
export async function refuseSecondId(tx: Tx, { keyId, fingerprint }: CheckedKey, userId: string) {
  const same = and(
    eq(deviceKeys.fingerprint, fingerprint),
    eq(deviceKeys.userId, userId),
    ne(deviceKeys.keyId, keyId),
  )
  if ((await tx.$count(deviceKeys, same)) > 0) throw new KeyIdAlreadyRegisteredError()
}
