import { DrizzleQueryError } from 'drizzle-orm'
import type { JobWithMetadata } from 'pg-boss'
import { type Db, type Settings, underSettings, withSettings } from '../database/database.ts'
import type { Check } from '../events/events.ts'
import type { Observer } from '../observation/observation.ts'
import type { AnyJob, JobContext } from './jobs.ts'

/**
 * A job's row. The input is wrapped because a row's data has to be an object; a scheduled run has
 * none. Beside it are the trace and the settings of the request or job that enqueued it.
 */
export type JobRow = Pick<
  JobWithMetadata<{ input?: unknown; traceparent?: string; settings?: Settings } | null>,
  'id' | 'data' | 'signal' | 'retryCount' | 'retryLimit'
>

interface Given {
  readonly check: Check | undefined
  readonly context: Pick<JobContext, 'db' | 'clock' | 'env' | 'log'>
  readonly observer?: Observer | undefined
}

/** Runs a job once. A failure is logged, and thrown, so that the queue keeps or retries the job. */
export function runJob(job: AnyJob, row: JobRow, given: Given) {
  const { observer } = given
  if (!observer) return runOnce(job, row, given)
  const step = {
    kind: 'job',
    name: job.name,
    attempt: row.retryCount + 1,
    isLast: row.retryCount >= row.retryLimit,
    carried: { traceparent: row.data?.traceparent },
  } as const
  return observer.around(step, () => runOnce(job, row, given))
}

async function runOnce(job: AnyJob, row: JobRow, { check, context }: Given) {
  const { id: jobId, retryCount, retryLimit, signal } = row
  const attempt = retryCount + 1
  const log = context.log.child({ job: job.name, jobId })
  const giveUp = () =>
    log.warn({ attempt }, 'job took too long, or the server ends: it is tried again')
  signal.addEventListener('abort', giveUp)
  try {
    const input = await readInput(job, row, check)
    const settings = row.data?.settings
    const run = (db: Db) => job['~handler'](input, { ...context, db, log, signal, attempt })
    await underSettings(settings, run, withSettings(context.db, settings))
  } catch (error) {
    const err = withoutValues(error)
    if (retryCount < retryLimit) log.warn({ err, attempt }, 'job failed and is tried again')
    else log.error({ err, attempt }, 'job failed for good')
    throw err
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

/** Checked again: the release that wrote the row may have had another schema. */
function readInput({ declaration }: AnyJob, { data }: JobRow, check: Check | undefined) {
  const input = data?.input
  const isTick = input === undefined && declaration.cron
  return isTick || !check ? input : check(input)
}

/**
 * Drizzle's message quotes a statement's values, and so do PostgreSQL's details. They may be
 * private.
 */
function withoutValues(error: unknown) {
  const thrown = error instanceof DrizzleQueryError && error.cause ? error.cause : error
  if (!(thrown instanceof Error))
    return new Error('The handler threw something that is not an error.')
  const { name, message, stack } = thrown
  return Object.assign(new Error(message), { name, stack })
}
