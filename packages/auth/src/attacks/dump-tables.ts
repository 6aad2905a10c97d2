import type { Db } from '@svc/core'
import { sql } from 'drizzle-orm'

/** Every row of every table, those of the job queue too, as text. */
export async function dumpTables(db: Db) {
  const { rows } = await db.execute<{ name: string }>(sql`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`)
  const tables = await Promise.all(
    rows.map(({ name }) => db.execute(sql`select t::text as line from ${sql.raw(name)} t`)),
  )
  return tables.flatMap((table) => table.rows.map(({ line }) => String(line))).join('\n')
}
