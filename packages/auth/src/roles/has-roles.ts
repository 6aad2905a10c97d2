import type { Db } from '@svc/core'
import { sql } from 'drizzle-orm'
import { roles } from '../accounts/role-schema.ts'

/** Whether the tables of sign-in are there. */
export async function isMigrated(db: Db) {
  const { rows } = await db.execute(
    sql`select to_regclass('svc_auth.roles') is not null as "isThere"`,
  )
  return rows[0]?.isThere === true
}

export async function hasRoles(db: Db) {
  return (await db.$count(roles)) > 0
}
