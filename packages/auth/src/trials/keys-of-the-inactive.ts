import type { Db } from '@svc/core'
import { sql } from 'drizzle-orm'

/** Live keys of whoever may not act: there is none. */
export async function keysOfTheInactive(db: Db) {
  const { rows } = await db.execute(sql`
    select k.key_id from svc_auth.device_keys k left join svc_auth.users u using (user_id)
    where k.state = 'active' and u.status is distinct from 'active'`)
  return rows
}
