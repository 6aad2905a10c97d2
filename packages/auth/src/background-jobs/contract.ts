import { ConflictError, ForbiddenError, type OutputOf, route, t } from '@svc/core/contract'
import { proofRefusals } from '../caller/contract.ts'
import { allow, defineContract } from '../capability/contract.ts'
import { limitRefusals, perMinute } from '../limits/contract.ts'
import { cursorQuery, nextPage } from '../pagination.ts'
import { JobNotFoundError } from './errors.ts'

const JobState = t.Union([
  t.Literal('waiting'),
  t.Literal('running'),
  t.Literal('failed'),
  t.Literal('done'),
  t.Literal('cancelled'),
])
/** What has become of a job. A `waiting` one may have failed before, and is tried again. */
export type JobState = OutputOf<typeof JobState>

const JobQueueItem = t.Object({
  job: t.String(),
  due: t.Integer({ description: 'Waiting, and may run now.' }),
  later: t.Integer({ description: 'Waiting for their time, or for another try.' }),
  running: t.Integer(),
  failed: t.Integer(),
  hasMore: t.Boolean({
    description: 'True if there may be more: at most 1,000 of a state are counted.',
  }),
  cron: t.Optional(
    t.Object({ expression: t.String(), timezone: t.String(), nextRunAt: t.String() }),
  ),
})
/** The jobs of one name as operators see them. */
export type JobQueueItem = OutputOf<typeof JobQueueItem>

const jobFields = {
  jobId: t.String(),
  job: t.String({ description: 'The name of the job.' }),
  state: JobState,
  attempt: t.Integer({ description: 'How often it was started.' }),
  retryLimit: t.Integer({ description: 'How often it is tried again after the first run.' }),
  createdAt: t.String(),
  startAfter: t.String({ description: 'It waits until then.' }),
  startedAt: t.Optional(t.String({ description: 'Of the last run.' })),
  finishedAt: t.Optional(
    t.String({ description: 'When it was done, cancelled, or failed for good.' }),
  ),
}

const failure = { name: t.String(), message: t.String() }

const JobItem = t.Object({
  ...jobFields,
  error: t.Optional(
    t.Object(failure, {
      description: 'What the last run failed with. A message is cut after 1,000 characters.',
    }),
  ),
})
/** A job as operators see it, without its input. */
export type JobItem = OutputOf<typeof JobItem>

const JobDetails = t.Object({
  ...jobFields,
  error: t.Optional(t.Object({ ...failure, stack: t.Optional(t.String()) })),
  /** As JSON. Not set if the job has none, or one of more than 100,000 characters. */
  input: t.Optional(t.String()),
})
/** A job with its input and the stack of its error, without secrets and whole addresses. */
export type JobDetails = OutputOf<typeof JobDetails>

const name = t.String({
  maxLength: 200,
  pattern: '^[\\w./-]+$',
  description: 'The name of the job, as `listJobQueues` has it.',
})

const stateAsked = t.Union(JobState.anyOf, { description: 'Those in this state.' })

const params = t.Object({
  jobId: t.String({
    pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
    description: 'As `listJobs` has it.',
  }),
})

const one = { params, body: t.Object({ job: name }) }

/** Of what changes a job. */
const refusals = [
  JobNotFoundError,
  ConflictError,
  ForbiddenError,
  ...proofRefusals,
  ...limitRefusals,
] as const

/** The work beside requests, for those who run the application. */
export const backgroundJobContract = defineContract('jobs', {
  at: '/_auth/admin',
  operations: {
    listJobQueues: allow.may(
      'job:read',
      'owner only',
    )(
      route
        .get('/_auth/admin/jobs/queues')
        .answer(t.Object({ queues: t.Array(JobQueueItem) }))
        .errors(...limitRefusals)
        .describe({ summary: 'The jobs that the server runs, by name, and how many there are.' }),
    ),
    listJobs: allow.may(
      'job:read',
      'owner only',
    )(
      route
        .get('/_auth/admin/jobs')
        .input({
          query: t.Object({
            job: t.Optional(name),
            state: t.Optional(stateAsked),
            ...cursorQuery(1000),
          }),
        })
        .answer(t.Object({ jobs: t.Array(JobItem), next: nextPage }))
        .errors(...limitRefusals)
        .describe({ summary: 'Jobs of all instances, the newest first.' }),
    ),
    readJob: allow.may(
      'job:read',
      'owner only',
    )(
      route
        .get('/_auth/admin/jobs/:jobId')
        .input({ params })
        .answer(JobDetails)
        .errors(JobNotFoundError, ...limitRefusals)
        .describe({ summary: 'One job, with its input and the stack of its error.' }),
    ),
    retryJob: allow.freshMay('job:write')(
      route
        .post('/_auth/admin/jobs/:jobId/retry')
        .input(one)
        .answer(t.Undefined(), 204)
        .errors(...refusals)
        .describe({ summary: 'Has a failed job run once more.' }),
    ),
    cancelJob: allow.freshMay('job:write')(
      route
        .post('/_auth/admin/jobs/:jobId/cancel')
        .input(one)
        .answer(t.Undefined(), 204)
        .errors(...refusals)
        .describe({ summary: 'Ends a job that waits, so that it does not run.' }),
    ),
  },
  errors: [JobNotFoundError],
  limits: {
    'job list by account': perMinute(120),
    'job change by account': perMinute(60),
  },
})
