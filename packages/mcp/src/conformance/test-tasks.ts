import { allow } from '@svc/auth/server'
import { ConflictError, NotFoundError, route, type ToolTaskState, t } from '@svc/core'

const permission = 'test:use'
const words = (describe: string) => ({ title: describe, describe, permission })

interface Job {
  readonly endsAt: number
  readonly end: 'completed' | 'failed'
  isCancelled: boolean
}

const jobs = new Map<string, Job>()

function jobOf(jobId: string) {
  const job = jobs.get(jobId)
  if (!job) throw new NotFoundError({ resource: 'job' })
  return job
}

function stateOf({ isCancelled, endsAt, end }: Job): ToolTaskState {
  if (isCancelled) return 'cancelled'
  return Date.now() < endsAt ? 'working' : end
}

function started(seconds: number, end: Job['end']) {
  const id = crypto.randomUUID()
  jobs.set(id, { endsAt: Date.now() + seconds * 1000, end, isCancelled: false })
  return { id }
}

const params = t.Object({ jobId: t.String() })
const task = {
  read: 'readTestJob',
  cancel: 'cancelTestJob',
  params: { jobId: 'id' },
  state: ({ state }: { state: ToolTaskState }) => state,
  pollSeconds: 0.2,
}

/** What the scenarios of tasks call: they know these names. */
export const taskTools = {
  greet: allow.public(
    route
      .post('/greet')
      .input({ body: t.Object({ name: t.String() }) })
      .tool(words('Greets.'))
      .handler(async (c) => `Hello, ${(await c.data()).body.name}!`),
  ),
  slow_compute: allow.public(
    route
      .post('/slow-compute')
      .input({ body: t.Object({ seconds: t.Number(), label: t.Optional(t.String()) }) })
      .tool({ ...words('Takes some seconds.'), task })
      .handler(async (c) => started((await c.data()).body.seconds, 'completed')),
  ),
  failing_job: allow.public(
    route
      .post('/failing-job')
      .tool({ ...words('Fails after a second.'), task })
      .handler(() => started(1, 'failed')),
  ),
  /** It would ask while it runs. A tool here asks before, so this one is no task. */
  confirm_delete: allow.public(
    route
      .post('/confirm-delete')
      .input({ body: t.Object({ filename: t.String() }) })
      .tool(words('Deletes a file.'))
      .handler(() => ({})),
  ),
}

export const taskRoutes = {
  readTestJob: allow.public(
    route
      .get('/jobs/:jobId')
      .input({ params })
      .handler(async (c) => ({ state: stateOf(jobOf((await c.data()).params.jobId)) })),
  ),
  cancelTestJob: allow.public(
    route
      .delete('/jobs/:jobId')
      .input({ params })
      .handler(async (c) => {
        const job = jobOf((await c.data()).params.jobId)
        if (stateOf(job) !== 'working') throw new ConflictError({ message: 'It has ended.' })
        job.isCancelled = true
        return c.noContent()
      }),
  ),
}
