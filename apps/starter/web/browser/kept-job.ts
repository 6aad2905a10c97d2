import type { TestWebApp } from './test-web-app.ts'

/** Every server has it, and another run of it does no harm. */
const job = 'svc.forget-expired'

/** A job that has failed for good, or one that waits for an hour. */
export async function keptJob(
  { auth }: TestWebApp['api'],
  state: 'failed' | 'created',
  message = 'out of paper',
) {
  const isOver = state === 'failed'
  const output = isOver ? `'${JSON.stringify({ name: 'PrinterError', message })}'` : 'null'
  const over = isOver ? 'now()' : 'null'
  const { rows } = await auth.db.execute<{ id: string }>(`
    insert into svc_jobs.job (name, state, data, output, retry_limit, start_after, started_on, completed_on)
    values ('${job}', '${state}', '{}', ${output}, 0, now() + interval '1 hour', ${over}, ${over})
    returning id`)
  return { jobId: rows[0]?.id ?? '', job }
}
