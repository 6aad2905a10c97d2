import type { Db } from '@svc/core'
import { isNull, notInArray, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { recoveryCodes, totpSecrets } from './schema.ts'

/** What names a key of the keyring: every secret, and every recovery code that is left. */
function named(db: Db) {
  const secrets = db
    .select({
      // `enc:v2:<keyId>:…`
      keyId: sql<string>`split_part(${totpSecrets.secret}, ':', 3)`.as('key_id'),
      userId: totpSecrets.userId,
      isCode: sql<boolean>`false`.as('is_code'),
    })
    .from(totpSecrets)
  const codes = db
    .select({
      keyId: sql<string>`${recoveryCodes.ringKeyId}`.as('key_id'),
      userId: recoveryCodes.userId,
      isCode: sql<boolean>`true`.as('is_code'),
    })
    .from(recoveryCodes)
    .where(isNull(recoveryCodes.usedAt))
  return unionAll(secrets, codes).as('named')
}

export function countByRingKey(db: Db) {
  const rows = named(db)
  return db
    .select({
      keyId: rows.keyId,
      secondFactors: sql<number>`(count(*) filter (where not ${rows.isCode}))::int`,
      recoveryCodes: sql<number>`(count(*) filter (where ${rows.isCode}))::int`,
    })
    .from(rows)
    .groupBy(rows.keyId)
}

/** How many accounts need a key that is none of these. */
export function accountsByMissingKey(db: Db, keyIds: readonly string[]) {
  const rows = named(db)
  return db
    .select({ keyId: rows.keyId, accounts: sql<number>`count(distinct ${rows.userId})::int` })
    .from(rows)
    .where(notInArray(rows.keyId, [...keyIds]))
    .groupBy(rows.keyId)
    .orderBy(rows.keyId)
}
