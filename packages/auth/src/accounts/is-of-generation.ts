import { type AnyColumn, sql } from 'drizzle-orm'
import { users } from './schema.ts'

/** Whether the account of a row is active, and still of the generation that the row was written in. */
export function isOfGeneration(userId: AnyColumn, generation: AnyColumn) {
  return sql`exists (select from ${users} where ${users.userId} = ${userId}
    and ${users.generation} = ${generation} and ${users.status} = 'active')`
}
