import { sql } from 'drizzle-orm'
import type { TestAuth } from '../../testing.ts'

/** Every server with jobs has it, and another run of it does no harm. */
export const harmlessJob = 'svc.forget-expired'

/** A job that has failed for good, or waits for an hour. */
export async function keptJob(
  { auth }: Pick<TestAuth, 'auth'>,
  state: 'failed' | 'created',
  { job = harmlessJob, output = { name: 'PrinterError', message: 'out of paper' }, data = {} } = {},
) {
  const isOver = state === 'failed'
  const { rows } = await auth.db.execute<{ id: string }>(sql`
    insert into svc_jobs.job (name, state, data, output, retry_limit, start_after, started_on, completed_on)
    values (${job}, ${state}, ${JSON.stringify(data)}, ${isOver ? JSON.stringify(output) : null}, 0,
      ${isOver ? sql`now()` : sql`now() + interval '1 hour'`}, ${isOver ? sql`now()` : null},
      ${isOver ? sql`now()` : null})
    returning id`)
  return { jobId: rows[0]?.id ?? '', job }
}
