import type { Db } from '@svc/core'
import { notInArray, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { ringKeysOfFactors } from '../mfa/ring-keys-of-factors.ts'
import { ringKeysOfTokens } from '../social/accounts/ring-keys-of-tokens.ts'

const named = (db: Db) => unionAll(ringKeysOfFactors(db), ringKeysOfTokens(db)).as('named')

export function countByRingKey(db: Db) {
  const rows = named(db)
  const count = (kind: string) => sql<number>`(count(*) filter (where ${rows.kind} = ${kind}))::int`
  return db
    .select({
      keyId: rows.keyId,
      secondFactors: count('secondFactors'),
      recoveryCodes: count('recoveryCodes'),
      providerTokens: count('providerTokens'),
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
    .where(notInArray(rows.keyId, [...keyIds, 'enc:v1']))
    .groupBy(rows.keyId)
    .orderBy(rows.keyId)
}
