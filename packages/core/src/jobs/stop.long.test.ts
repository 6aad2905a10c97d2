import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { sql } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { defineJob } from './jobs.ts'
import { useTestJobs } from './test-jobs.ts'

const jobs = useTestJobs()
const wait = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

describe('stop', () => {
  it('does not wait for a database that has stalled', async () => {
    const blocked = defineJob('blocked').cron('0 6 * * *').handler(vi.fn())
    const { stop } = await jobs.start({ blocked })
    await jobs.database.db.transaction(async (tx) => {
      await tx.execute(sql`lock table svc_jobs.job in access exclusive mode`)
      // Until every worker looks into its queue, and waits for the lock.
      await wait(6000)
      const began = performance.now()
      await stop()
      expect(performance.now() - began).toBeLessThan(6000)
    })
  })

  it('leaves nothing behind that keeps the process from ending', async () => {
    const at = (path: string) => new URL(path, import.meta.url).href
    const program = `
      import { connectDatabase } from '${at('../database/server.ts')}'
      import { systemClock } from '${at('../clock/clock.ts')}'
      import { createLogger } from '${at('../observation/logger.ts')}'
      import { defineJob } from '${at('./jobs.ts')}'
      import { startJobs } from '${at('./server.ts')}'
      const log = createLogger({ level: 'silent' })
      const database = await connectDatabase('${jobs.database.url}', { log })
      const ran = Promise.withResolvers()
      const job = defineJob('elsewhere').cron('0 6 * * *').handler(ran.resolve)
      const { stop } = await startJobs([job], { database, log, clock: systemClock })
      await job.enqueue()
      await ran.promise
      await stop()
      await database.close()
      console.log(process.getActiveResourcesInfo().filter((kind) => kind !== 'PipeWrap').join())`
    const flags = ['--conditions=svc-source', '--input-type=module', '-e', program]
    const running = promisify(execFile)(process.execPath, flags)
    const said = new Promise((resolve) => running.child.stdout?.once('data', resolve))
    await Promise.race([said, running])
    const began = performance.now()
    const { stdout } = await running
    expect(stdout).toBe('\n')
    expect(performance.now() - began).toBeLessThan(1000)
    const { rows } = await jobs.database.pool.query(
      'select application_name as name from pg_stat_activity where datname = current_database()',
    )
    expect(new Set(rows.map(({ name }) => name))).toEqual(new Set(['svc']))
  })
})
