import { runJob } from '../jobs/run-job.ts'
import type { RunningServer } from '../server/start-server.ts'

/** Runs a scheduled job once, now, in this process: by the server's clock, and without an input, as on its time. */
export async function runScheduled(
  { jobs, within, infrastructure }: RunningServer,
  name: string,
): Promise<void> {
  const { database, log, clock, env } = infrastructure
  const scheduled = jobs.filter(({ declaration }) => declaration.cron)
  const job = scheduled.find((each) => each.name === name)
  if (!job || !database) {
    const names = scheduled.map((each) => `"${each.name}"`).join(', ')
    throw new Error(`This server has no scheduled job "${name}". It has ${names || 'none'}.`)
  }
  const { signal } = new AbortController()
  const row = { id: 'test', data: null, signal, retryCount: 0, retryLimit: 0 }
  const context = { db: database.db, log, clock, env }
  await within(() => runJob(job, row, { check: undefined, context }))
}
