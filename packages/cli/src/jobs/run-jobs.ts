import type { Application } from '../application/application.ts'
import { callNamed, queryOf } from '../call/call.ts'
import { UsageError } from '../failure.ts'
import { type Flags, flags as known } from '../flags.ts'
import { printJson, printTable, printText } from '../print-answer.ts'
import { describeJob, type JobDetails } from './describe-job.ts'
import type { Move } from './moves.ts'

/** The jobs of one name, as `listJobQueues` has them. */
interface Queue {
  job: string
  due: number
  later: number
  running: number
  failed: number
  hasMore: boolean
  cron?: { nextRunAt: string }
}

/** A job, as `listJobs` has it. */
interface Job {
  jobId: string
  job: string
  state: string
  attempt: number
  retryLimit: number
  createdAt: string
  error?: { name: string; message: string }
}

export async function listQueues({ definition }: Application, flags: Flags) {
  const answer = await callNamed(definition, { flags, name: 'listJobQueues', input: {} })
  if (flags.output === 'json') return printJson(answer)
  const { queues } = answer as { queues: Queue[] }
  printTable(
    ['Job', 'Due', 'Later', 'Running', 'Failed', 'Next run'],
    queues.map(({ job, due, later, running, failed, cron }) => [
      job,
      ...[due, later, running, failed].map(String),
      cron?.nextRunAt ?? '',
    ]),
  )
  const uncounted = queues.filter(({ hasMore }) => hasMore).map(({ job }) => job)
  if (uncounted.length === 0) return 0
  return printText(
    `\nAt most 1,000 jobs of a state are counted. There may be more of ${uncounted.join(', ')}.`,
  )
}

export async function listJobs({ definition }: Application, flags: Flags) {
  const { job, state, limit, after } = flags
  const query = queryOf({ job, state, limit, after })
  const answer = await callNamed(definition, { flags, name: 'listJobs', input: { query } })
  if (flags.output === 'json') return printJson(answer)
  const { jobs, next } = answer as { jobs: Job[]; next?: string }
  if (jobs.length === 0) return printText(`No job is like that. ${advice(flags)}`)
  printTable(
    ['Job id', 'Job', 'State', 'Runs', 'Created', 'Error'],
    jobs.map((each) => [
      each.jobId,
      each.job,
      each.state,
      `${each.attempt} of ${each.retryLimit + 1}`,
      each.createdAt,
      firstLine(each),
    ]),
  )
  return next === undefined ? 0 : printText(`\nThere are more: add --after ${next}`)
}

export async function showJob({ definition }: Application, flags: Flags, jobId: string) {
  const input = { params: { jobId } }
  const job = await callNamed(definition, { flags, name: 'readJob', input })
  if (flags.output === 'json') return printJson(job)
  return printText(describeJob(job as JobDetails))
}

export async function changeJob(
  { definition }: Application,
  { flags, jobId, move }: { flags: Flags; jobId: string; move: Move },
) {
  const { job } = flags
  if (job === undefined) {
    throw new UsageError(`This needs the name of the job: --job ${known.job.value}`)
  }
  const input = { params: { jobId }, body: { job } }
  await callNamed(definition, { flags, name: move.operation, input })
  if (flags.output === 'json') return printJson({ jobId, job })
  return printText(`The job ${jobId} ${move.done}`)
}

function advice({ job, state }: Flags) {
  return job || state ? 'Leave out --job or --state.' : 'None was enqueued within the last days.'
}

// An error may have lines, and a table has one for each job.
function firstLine({ error }: Job) {
  const [line = ''] = error ? `${error.name}: ${error.message}`.split(/\r?\n/) : []
  return line
}
