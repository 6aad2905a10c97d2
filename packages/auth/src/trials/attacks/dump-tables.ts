import type { Db } from '@svc/core'
import { sql } from 'drizzle-orm'

/** Every row of every table, those of the job queue too, as text. */
export async function dumpTables(db: Db) {
  const tables = await rowsOf(db, 't::text')
  return tables.flatMap(({ lines }) => lines.map(String)).join('\n')
}

/** The same as values: each row with its columns, and what is in them. */
export async function dumpRows(db: Db) {
  const tables = await rowsOf(db, 'to_jsonb(t)')
  return tables.flatMap(({ name, lines }) => lines.map((row) => ({ [name]: row })))
}

async function rowsOf(db: Db, form: string) {
  const { rows } = await db.execute<{ name: string }>(sql`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`)
  return Promise.all(
    rows.map(async ({ name }) => {
      const lines = await db.execute(sql.raw(`select ${form} as line from ${name} t`))
      return { name, lines: lines.rows.map(({ line }) => line) }
    }),
  )
}
