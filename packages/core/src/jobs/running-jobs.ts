import type { Pool } from 'pg'
import type { PgBoss } from 'pg-boss'
import { afterCommit, clientOf, currentTransaction } from '../database/database.ts'
import type {
  JobMove,
  JobQueueState,
  QueuedJobQuery,
  RunningJobs,
} from '../infrastructure/infrastructure.ts'
import { defineCursor } from '../paging/paging.ts'
import { t } from '../schema/schema.ts'
import type { AnyJob } from './jobs.ts'
import {
  type DetailedRow,
  detailColumns,
  detailedJob,
  jobColumns,
  type KeptRow,
  keptStates,
  queuedJob,
  stateOf,
} from './kept-jobs.ts'

interface Ran {
  readonly jobs: readonly AnyJob[]
  /** What makes this instance look for jobs of a name now. */
  readonly wakes: ReadonlyMap<string, () => void>
}

/** The jobs of a server, for those who run it. Every statement reads `svc_jobs_by_state`, name by name. */
export function runningJobs(
  boss: Pick<PgBoss, 'previewSchedule'>,
  pool: Pool,
  { jobs, wakes }: Ran,
): RunningJobs {
  const byName = new Map(jobs.map((job) => [job.name, job]))
  const names = [...byName.keys()]

  async function queues() {
    const { rows } = await pool.query<Counts>(counting, [names, mostCounted])
    return rows.map((counts) => ({
      ...counts,
      hasMore: hasMore(counts),
      ...scheduleOf(boss, byName.get(counts.job)),
    }))
  }

  async function list({ job, state, after, limit: asked = 20 }: QueuedJobQuery = {}) {
    const limit = Math.min(Math.max(asked, 1), 100)
    const { at, id } = newestFirst.read(after) ?? beforeAll
    const of = names.filter((name) => job === undefined || name === job)
    const states = state ? keptStates[state] : Object.values(keptStates).flat()
    const { rows } = await pool.query<KeptRow>(listing, [of, states, at, id, limit + 1])
    const { items, ...place } = newestFirst.page(rows, limit, placeOf)
    return { jobs: items.map(queuedJob), ...place }
  }

  async function find(id: string) {
    if (!uuid.test(id)) return null
    const { rows } = await pool.query<DetailedRow>(finding, [names, id])
    return rows[0] ? detailedJob(rows[0]) : null
  }

  /** One statement moves it, so that the second of two at once finds it moved. */
  async function move(statement: string, id: string, job: string): Promise<JobMove | null> {
    if (!byName.has(job) || !uuid.test(id)) return null
    const tx = currentTransaction()
    const client = tx && clientOf(tx)
    const states = async (text: string) => {
      const given = { text, values: [job, id] }
      const { rows } = await (client ? client.query(given) : pool.query(given))
      return rows.map(stateOf)
    }
    const [moved] = await states(statement)
    if (moved) return { isMoved: true, state: moved }
    const [state] = await states(reading)
    return state ? { isMoved: false, state } : null
  }

  return {
    queues,
    list,
    find,
    async retry(id, job) {
      const moved = await move(retrying, id, job)
      if (moved?.isMoved) await afterCommit(() => wakes.get(job)?.())
      return moved
    },
    cancel: (id, job) => move(cancelling, id, job),
  }
}

// By the index, a statement counts that many in a millisecond.
const mostCounted = 1000

type Counts = Omit<JobQueueState, 'hasMore' | 'cron'>

const hasMore = ({ due, later, running, failed }: Counts) =>
  Math.max(due + later, running, failed) >= mostCounted

function scheduleOf(boss: Pick<PgBoss, 'previewSchedule'>, job: AnyJob | undefined) {
  const cron = job?.declaration.cron
  if (!cron) return {}
  const { expression, timezone } = cron
  const [next] = boss.previewSchedule(expression, { tz: timezone, count: 1 })
  return next ? { cron: { expression, timezone, nextRunAt: next.toISOString() } } : {}
}

const oldest = (state: string, column = '') =>
  `(select ${column} from svc_jobs.job_common where name = queue.name and state = '${state}'
    order by created_on limit $2)`

const counting = `
  select queue.name as job, waiting.due, waiting.later, running.count as running, failed.count as failed
  from unnest($1::text[]) as queue(name)
  cross join lateral (
    select count(*) filter (where start_after <= now())::int as due,
      count(*) filter (where start_after > now())::int as later
    from (${oldest('created', 'start_after')} union all ${oldest('retry', 'start_after')}) as job
  ) as waiting
  cross join lateral (select count(*)::int from ${oldest('active')} as job) as running
  cross join lateral (select count(*)::int from ${oldest('failed')} as job) as failed
  order by queue.name`

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

const newestFirst = defineCursor(
  'queued jobs, newest first',
  t.Object({
    at: t.String({ pattern: String.raw`^\d{1,16}$` }),
    id: t.String({ pattern: uuid.source }),
  }),
)

const placeOf = ({ place, id }: KeptRow) => ({ at: place, id })

/** In the far future. */
const beforeAll = { at: '9000000000000000', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }

const listing = `
  select ${jobColumns}
  from unnest($1::text[]) as queue(name)
  cross join unnest($2::svc_jobs.job_state[]) as kept(state)
  cross join lateral (
    select * from svc_jobs.job_common
    where name = queue.name and state = kept.state
      and (created_on, id) < (timestamptz 'epoch' + $3::bigint * interval '1 microsecond', $4::uuid)
    order by created_on desc, id desc
    limit $5
  ) as job
  order by job.created_on desc, job.id desc
  limit $5`

const finding = `
  select ${detailColumns} from svc_jobs.job_common as job where name = any($1::text[]) and id = $2::uuid`

const reading = 'select state from svc_jobs.job_common where name = $1 and id = $2'

// Once more than it was tried. Without the new time to keep it, clean-up could take an old one before it runs.
const retrying = `
  update svc_jobs.job_common
  set state = 'retry', retry_limit = greatest(retry_limit, retry_count + 1), completed_on = null, start_after = now(),
    keep_until = greatest(keep_until, now() + interval '14 days')
  where name = $1 and id = $2 and state = 'failed'
  returning state`

// pg-boss's own would also end one that runs, whose handler goes on.
const cancelling = `
  update svc_jobs.job_common
  set state = 'cancelled', completed_on = now()
  where name = $1 and id = $2 and state in ('created', 'retry')
  returning state`
