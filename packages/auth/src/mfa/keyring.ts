import type { Db } from '@svc/core'
import { isNull, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Needs } from '../auth.ts'
import { decrypt, encrypt, type Keyring } from '../crypto/crypto.ts'
import { MfaUnavailableError } from './errors.ts'
import { recoveryCodes, totpSecrets } from './schema.ts'

/** Without a keyring no secret can be encrypted. */
export function requireKeyring({ keyring }: Needs<'keyring'>): Keyring {
  if (!keyring) throw new MfaUnavailableError()
  return keyring
}

const boundTo = (userId: string) => ['totp', userId]

export function sealSecret(keyring: Keyring, userId: string, secret: string) {
  return encrypt(keyring, secret, boundTo(userId))
}

export function openSecret(keyring: Keyring, userId: string, sealed: string) {
  return decrypt(keyring, sealed, boundTo(userId))
}

/** The key of the keyring that each secret needs, and each unused recovery code. */
export function ringKeysOfFactors(db: Db) {
  const secrets = db
    .select({
      // `enc:v2:<keyId>:…`
      keyId: sql<string>`split_part(${totpSecrets.secret}, ':', 3)`.as('key_id'),
      userId: totpSecrets.userId,
      kind: sql<string>`'secondFactors'`.as('kind'),
    })
    .from(totpSecrets)
  const codes = db
    .select({
      keyId: sql<string>`${recoveryCodes.ringKeyId}`.as('key_id'),
      userId: recoveryCodes.userId,
      kind: sql<string>`'recoveryCodes'`.as('kind'),
    })
    .from(recoveryCodes)
    .where(isNull(recoveryCodes.usedAt))
  return unionAll(secrets, codes)
}
