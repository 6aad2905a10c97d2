import type { Pool } from 'pg'
import type { JobRow } from './run-job.ts'

/**
 * Gives a job back that was fetched while this instance began to stop, as if it had never been
 * fetched: without `started_on`, the next fetch does not count as one more attempt. Returns whether
 * it is back; a job that is not has to run here, or it would wait until it expires.
 */
export async function handBack(pool: Pool, name: string, row: JobRow): Promise<boolean> {
  try {
    const { rowCount } = await pool.query(givingBack, [name, row.id, row.retryCount])
    if (rowCount !== 1) return false
  } catch {
    return false
  }
  // pg-boss settles what a handler returns by the number of its attempt, and the next instance's
  // attempt has the same. No attempt has this one.
  row.retryCount = -1
  return true
}

const givingBack = `
  update svc_jobs.job set state = 'created', started_on = null, heartbeat_on = null
  where name = $1 and id = $2 and state = 'active' and retry_count = $3`
