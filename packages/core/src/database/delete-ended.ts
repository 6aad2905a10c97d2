import type { Pool } from 'pg'

const batch = 10_000

interface Ended {
  /** Has a column `id`. */
  table: `svc_core.${string}`
  /** The column that says when a row expires. */
  until: string
}

/**
 * Deletes expired rows, in batches that are quick. Rows that another transaction holds are left for
 * the next run.
 */
export async function deleteEnded(
  pool: Pick<Pool, 'query'>,
  { table, until }: Ended,
  now: Date,
): Promise<void> {
  const text = `delete from ${table} where id = any(array(
    select id from ${table} where ${until} <= $1 limit ${batch} for update skip locked))`
  for (;;) {
    const { rowCount } = await pool.query(text, [now])
    if (rowCount !== batch) return
  }
}
