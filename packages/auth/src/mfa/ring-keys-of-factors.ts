import type { Db } from '@svc/core'
import { isNull, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { recoveryCodes, totpSecrets } from './schema.ts'

/** The key of the keyring that each secret needs, and each recovery code that is left. */
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
