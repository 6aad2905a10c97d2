import type { Db } from '@svc/core'
import { sql } from 'drizzle-orm'
import { type AccountRow, accountColumns } from '../caller/caller-row.ts'
import { isUuid } from '../pg-schema.ts'

/** The account of a request that no device key has signed. */
export async function readAccount(db: Db, userId: string) {
  if (!isUuid(userId)) return null
  const { rows } = await db.execute(sql`
    select ${sql.raw(accountColumns)}
    from svc_auth.users u join svc_auth.roles r on r.name = u.role
    where u.user_id = ${userId}`)
  return (rows[0] as AccountRow | undefined) ?? null
}
