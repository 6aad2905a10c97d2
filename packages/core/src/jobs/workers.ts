import type { PgBoss } from 'pg-boss'
import type { JobRow } from './run-job.ts'

/** How many jobs of one queue an instance runs at a time. Each may hold a database connection. */
const concurrency = 4

// A job that this instance enqueues starts at once. These times are for jobs of other instances.
// The first worker looks often.
const pollingSeconds = (at: number) => (at === 0 ? 2 : 10)

/** Starts the workers of a queue. Returns a function that makes one look into it now. */
export async function startWorkers(
  boss: PgBoss,
  name: string,
  run: (row: JobRow) => Promise<void>,
): Promise<() => void> {
  const workers: string[] = []
  const busy = new Set<string>()
  const wake = () => {
    const idle = workers.find((id) => !busy.has(id))
    if (idle) boss.notifyWorker(idle)
  }
  for (let at = 0; at < concurrency; at++) {
    const options = { includeMetadata: true, pollingIntervalSeconds: pollingSeconds(at) } as const
    const id: string = await boss.work(name, options, async ([row]: JobRow[]) => {
      busy.add(id)
      // If there was one, there may be more, for another worker now and for this one afterwards.
      wake()
      try {
        if (row) await run(row)
      } finally {
        busy.delete(id)
        boss.notifyWorker(id)
      }
    })
    workers.push(id)
  }
  return wake
}
