import type { Db } from '@svc/core'
import { type AnyColumn, like, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { socialAccounts } from './schema.ts'

/** The key of the keyring that each token needs: `enc:v1` for one in the form before this, which any of them may open. */
export function ringKeysOfTokens(db: Db) {
  return unionAll(
    ringKeysOf(db, socialAccounts.accessToken),
    ringKeysOf(db, socialAccounts.refreshToken),
  )
}

function ringKeysOf(db: Db, column: AnyColumn) {
  const keyId = sql<string>`case when ${column} like 'enc:v1:%' then 'enc:v1'
    else split_part(${column}, ':', 3) end`
  return db
    .select({
      keyId: keyId.as('key_id'),
      userId: socialAccounts.userId,
      kind: sql<string>`'providerTokens'`.as('kind'),
    })
    .from(socialAccounts)
    .where(like(column, 'enc:v_:%'))
}
