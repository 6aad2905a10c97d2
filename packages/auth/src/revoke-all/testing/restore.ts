import type { Db } from '@svc/core'
import { sql } from 'drizzle-orm'

/** A backup of the tables of sign-in, and their restoration: what has happened in between is lost. */
export async function backUp(db: Db) {
  const tables = await db.execute<{ name: string; columns: string }>(sql`
    select c.table_name as name, string_agg(format('%I', c.column_name), ', ') as columns
    from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'svc_auth' and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER'
    group by c.table_name`)
  const run = (statement: string) => db.execute(sql.raw(statement))
  await run('create schema backup')
  for (const { name } of tables.rows) {
    await run(`create table backup.${name} as table svc_auth.${name}`)
  }

  return async function restore() {
    const all = tables.rows.map(({ name }) => `svc_auth.${name}`)
    await db.transaction(async (tx) => {
      // Rows refer to one another, and come back table by table.
      await tx.execute(sql.raw(`set local session_replication_role = replica`))
      await tx.execute(sql.raw(`truncate ${all.join(', ')}`))
      for (const { name, columns } of tables.rows) {
        const from = `select ${columns} from backup.${name}`
        await tx.execute(
          sql.raw(`insert into svc_auth.${name} (${columns}) overriding system value ${from}`),
        )
      }
    })
  }
}
