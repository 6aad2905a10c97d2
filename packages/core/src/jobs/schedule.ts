import type { PgBoss } from 'pg-boss'
import type { AnyJob } from './jobs.ts'
import { retryOptions } from './retry.ts'

/** Writes the schedule of each job, and removes those of an earlier release. */
export async function writeSchedules(boss: PgBoss, jobs: readonly AnyJob[]) {
  const written = new Set((await boss.getSchedules()).map(({ name }) => name))
  for (const { name, declaration } of jobs) {
    const { cron, retry } = declaration
    if (cron) await schedule(boss, name, { cron, retry })
    else if (written.has(name)) await boss.unschedule(name)
  }
}

async function schedule(
  boss: PgBoss,
  name: string,
  { cron, retry }: Required<Pick<AnyJob['declaration'], 'cron' | 'retry'>>,
) {
  const { expression, timezone: tz } = cron
  try {
    // The parser accepts fewer fields too, and `0 6 * *` would not mean six o'clock.
    if (expression.trim().split(/\s+/).length !== 5) throw new Error('There are five fields.')
    boss.previewSchedule(expression, { tz, count: 1 })
  } catch (cause) {
    throw new Error(
      `The job ${name} has an invalid schedule: .cron('${expression}', { timezone: '${tz}' }). Write it like '0 6 * * *' and 'Europe/Paris'.`,
      { cause },
    )
  }
  // After an outage, it runs once for all missed runs: a deploy at six must not cost the day its
  // job.
  await boss.schedule(name, expression, null, { tz, missed: 'once', ...retryOptions(retry) })
}
