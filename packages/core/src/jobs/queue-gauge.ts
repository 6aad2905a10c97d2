import type { PgBoss } from 'pg-boss'
import type { Metrics } from '../observation/observation.ts'

/** One of all instances counts, at most once a minute: counting a long queue takes a while. */
export function showQueues(
  metrics: Metrics,
  boss: Pick<PgBoss, 'getQueueStats'>,
  jobs: readonly { name: string }[],
) {
  const options = {
    help: 'Jobs in the queue, as of the last minute: due, for later, or running.',
    labels: ['job', 'state'],
  }
  metrics.gauge('svc_jobs', options, async () => {
    const readings = []
    // One after another, so that they use one connection.
    for (const { name } of jobs) readings.push(...(await readingsOf(boss, name)))
    return readings
  })
}

async function readingsOf(boss: Pick<PgBoss, 'getQueueStats'>, job: string) {
  const [counts] = await boss.getQueueStats(job, { force: true })
  if (!counts) return []
  const { readyCount, deferredCount, activeCount } = counts
  return [
    { labels: { job, state: 'due' }, value: readyCount },
    { labels: { job, state: 'later' }, value: deferredCount },
    { labels: { job, state: 'running' }, value: activeCount },
  ]
}
