import type { PgBoss } from 'pg-boss'
import { afterCommit, currentSettings, currentTransaction } from '../database/database.ts'
import { payloadCheck } from '../events/events.ts'
import type { Infrastructure } from '../infrastructure/infrastructure.ts'
import { createBoss, insideTransaction, stopWithin } from './boss.ts'
import { JobInputError } from './errors.ts'
import { handBack } from './hand-back.ts'
import { indexJobs } from './index-jobs.ts'
import type { AnyJob, JobQueue } from './jobs.ts'
import { showQueues } from './queue-gauge.ts'
import { retryOptions } from './retry.ts'
import { runJob } from './run-job.ts'
import { runningJobs } from './running-jobs.ts'
import { writeSchedules } from './schedule.ts'
import { startWorkers } from './workers.ts'

type Needs = Pick<Infrastructure, 'database' | 'log' | 'clock' | 'env' | 'observer' | 'metrics'>

/** A shutdown takes 15 s at most, and running requests may need 10 of them. */
const patienceMillis = 4000

/** Runs these jobs, beside other instances that do. */
export async function startJobs(
  given: readonly AnyJob[],
  { database, log, clock, env, observer, metrics }: Needs,
) {
  const jobs = distinctJobs(given)
  if (!database) throw new Error('Jobs are kept in the database: set DATABASE_URL.')
  const { db, pool } = database
  const boss = createBoss(
    pool,
    log,
    jobs.some(({ declaration }) => declaration.cron),
  )
  const unbind: (() => void)[] = []
  const wakes = new Map<string, () => void>()
  let isStopping = false
  const stop = async () => {
    isStopping = true
    await stopWithin(boss, patienceMillis)
    for (const each of unbind) each()
  }
  try {
    await boss.start()
    await indexJobs(pool, log)
    await createQueues(boss, jobs)
    await writeSchedules(boss, jobs)
    for (const job of jobs) {
      const check = inputCheck(job)
      const wake = await startWorkers(boss, job.name, async (row) => {
        if (isStopping && (await handBack(pool, job.name, row))) return
        await runJob(job, row, { check, context: { db, log, clock, env }, observer })
      })
      wakes.set(job.name, wake)
      unbind.push(job['~bind'](createQueue(boss, { check, wake, observer })))
    }
    if (metrics) showQueues(metrics, boss, jobs)
  } catch (error) {
    await stop()
    throw error
  }
  return { stop, running: runningJobs(boss, pool, { jobs, wakes }) }
}

function distinctJobs(given: readonly AnyJob[]) {
  const jobs = new Map<string, AnyJob>()
  for (const job of given) {
    const { name } = job
    if (jobs.has(name)) throw new Error(`Two jobs are named ${name}: rename one of them.`)
    if (!/^[\w./-]+$/.test(name)) {
      throw new Error(
        `The job name "${name}" has more than letters, digits and _ - . /: rename it.`,
      )
    }
    jobs.set(name, job)
  }
  return [...jobs.values()]
}

async function createQueues(boss: PgBoss, jobs: readonly AnyJob[]) {
  const created = new Set((await boss.getQueues()).map(({ name }) => name))
  for (const { name } of jobs) if (!created.has(name)) await boss.createQueue(name)
}

function inputCheck({ name, declaration }: AnyJob) {
  const { schema } = declaration
  return schema && payloadCheck(schema, 'input', (fields) => new JobInputError(name, fields))
}

interface Given {
  check: ReturnType<typeof inputCheck>
  wake: () => void
  observer: Infrastructure['observer']
}

function createQueue(boss: PgBoss, { check, wake, observer }: Given): JobQueue {
  const add: JobQueue['add'] = async ({ name, declaration }, input, { startAfter }) => {
    const tx = currentTransaction()
    if (check) await check(asRead(input))
    const traceparent = observer?.traceparent()
    const settings = currentSettings()
    await boss.send(
      name,
      { input, ...(traceparent !== undefined && { traceparent }), ...(settings && { settings }) },
      {
        ...retryOptions(declaration.retry),
        ...(startAfter && { startAfter }),
        ...(tx && insideTransaction(tx)),
      },
    )
    if (!startAfter) await afterCommit(wake)
  }
  if (!observer) return { add }
  return {
    add: (job, ...given) =>
      observer.around({ kind: 'enqueue', name: job.name }, () => add(job, ...given)),
  }
}

/**
 * The input as the row will contain it. A `Date` is text by then, and the schema must accept that.
 */
function asRead(input: unknown): unknown {
  return input === undefined ? undefined : JSON.parse(JSON.stringify(input))
}
