import type { JobState, QueuedJob, QueuedJobDetails } from '../infrastructure/infrastructure.ts'

/** Our states, and those of pg-boss. */
export const keptStates = {
  waiting: ['created', 'retry'],
  running: ['active'],
  failed: ['failed'],
  done: ['completed'],
  cancelled: ['cancelled'],
} as const satisfies Record<JobState, readonly string[]>

type KeptState = (typeof keptStates)[JobState][number]

const stateNames = new Map<KeptState, JobState>(
  (Object.keys(keptStates) as JobState[]).flatMap((name) =>
    keptStates[name].map((kept) => [kept, name] as const),
  ),
)

export interface KeptRow {
  id: string
  name: string
  state: KeptState
  retryCount: number
  retryLimit: number
  createdOn: Date
  startAfter: Date
  startedOn: Date | null
  completedOn: Date | null
  errorName: string | null
  errorMessage: string | null
  /** `createdOn` in microseconds, which a `Date` has not. */
  place: string
}

/** With what only the page of one job has. */
export interface DetailedRow extends KeptRow {
  errorStack: string | null
  input: unknown
}

/**
 * Never the input, and of a failure its name and message only. pg-boss keeps what was thrown as it is, and its own
 * reasons, such as a worker that has died, under `value`.
 */
export const jobColumns = `
  job.id, job.name, job.state, job.retry_count as "retryCount", job.retry_limit as "retryLimit",
  job.created_on as "createdOn", job.start_after as "startAfter", job.started_on as "startedOn",
  job.completed_on as "completedOn",
  case when job.state in ('retry', 'failed') then left(job.output->>'name', 200) end as "errorName",
  case when job.state in ('retry', 'failed') then left(coalesce(
    job.output->>'message', job.output->'value'->>'message', job.output->>'value'), 1000) end as "errorMessage",
  (extract(epoch from job.created_on) * 1000000)::bigint::text as place`

/** A long input is left out whole: a part of it is no JSON, in which a secret can be found. */
export const detailColumns = `${jobColumns},
  case when job.state in ('retry', 'failed') then left(job.output->>'stack', 10000) end as "errorStack",
  case when length((job.data->'input')::text) <= 100000 then job.data->'input' end as input`

export function stateOf({ state }: Pick<KeptRow, 'state'>): JobState {
  return stateNames.get(state) ?? 'waiting'
}

export function queuedJob(row: KeptRow): QueuedJob {
  const { id, name: job, retryCount, retryLimit, startedOn, completedOn, errorMessage } = row
  return {
    id,
    job,
    state: stateOf(row),
    attempt: startedOn ? retryCount + 1 : 0,
    retryLimit,
    createdAt: row.createdOn.toISOString(),
    startAfter: row.startAfter.toISOString(),
    ...(startedOn && { startedAt: startedOn.toISOString() }),
    ...(completedOn && { finishedAt: completedOn.toISOString() }),
    ...(errorMessage !== null && {
      error: { name: row.errorName ?? 'Error', message: errorMessage },
    }),
  }
}

export function detailedJob(row: DetailedRow): QueuedJobDetails {
  const { input, errorStack: stack } = row
  const { error, ...job } = queuedJob(row)
  return {
    ...job,
    ...(error && { error: { ...error, ...(stack !== null && { stack }) } }),
    ...(input !== null && { input }),
  }
}
