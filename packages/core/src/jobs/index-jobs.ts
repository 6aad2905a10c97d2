import type { Pool } from 'pg'
import type { Log } from '../observation/observation.ts'

/** By these columns, `running-jobs.ts` finds the newest of each state. pg-boss has such an index of waiting jobs only. */
const index = 'if not exists svc_jobs_by_state on svc_jobs.job_common (name, state, created_on, id)'

/** Of a longer table, no job could be added for too long while the index is made. */
const mostRows = 1_000_000

/**
 * Makes the index by which jobs are listed, so that a page costs the same in a long queue. Jobs run without it too, and
 * lists are slow then: what keeps us from making it is logged, and the next start tries again.
 */
export async function indexJobs(pool: Pool, log: Pick<Log, 'warn'>) {
  const warn = (why: object) =>
    log.warn({ ...why, run: `create index concurrently ${index}` }, 'lists of jobs are slow')
  try {
    const { rows } = await pool.query<{ isThere: boolean; size: number }>(looking)
    const [table] = rows
    if (!table || table.isThere) return
    if (table.size <= mostRows) await pool.query(making)
    else warn({ jobs: table.size })
  } catch (err) {
    warn({ err })
  }
}

const looking = `
  select to_regclass('svc_jobs.svc_jobs_by_state') is not null as "isThere", reltuples as size
  from pg_class where oid = 'svc_jobs.job_common'::regclass`

// One message is one transaction. Instances that start together queue here. While it waits for a long transaction, no
// job can be added, so it does not wait long.
const making = `
  set local lock_timeout = '3s';
  select pg_advisory_xact_lock(hashtextextended('svc_jobs.svc_jobs_by_state', 0));
  create index ${index}`
