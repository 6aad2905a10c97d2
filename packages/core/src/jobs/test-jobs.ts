import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { type Clock, systemClock } from '../clock/clock.ts'
import { declaredEnv } from '../env/env.ts'
import { createLogger } from '../observation/logger.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import type { JobRouter } from './jobs.ts'
import { startJobs } from './server.ts'

/** A database for a test file, and instances that are stopped after each test. */
export function useTestJobs({ clock = systemClock }: { clock?: Clock } = {}) {
  let database: TestDatabase
  let running: { stop: () => Promise<void> }[] = []
  const lines: Record<string, unknown>[] = []
  const log = createLogger({
    level: 'debug',
    destination: { write: (line) => lines.push(JSON.parse(line)) },
  })

  beforeAll(async () => {
    database = await createTestDatabase()
  })
  beforeEach(() => {
    lines.length = 0
  })
  afterEach(async () => {
    await Promise.all(running.map(({ stop }) => stop()))
    running = []
    await forgetJobs(database)
  })
  afterAll(() => database.drop())

  return {
    get database() {
      return database
    },
    log,
    lines,
    async start(router: JobRouter, on = database) {
      const instance = await startJobs(Object.values(router), {
        database: on,
        log,
        clock,
        env: declaredEnv([], {}),
      })
      running.push(instance)
      return instance
    },
    /** The rows of a queue, as seen from outside any transaction. */
    async rows(name: string) {
      const { rows } = await database.pool.query(
        'select id, state, data, output, retry_count from svc_jobs.job where name = $1',
        [name],
      )
      return rows
    },
  }
}

/** What a test has left in a queue would run in the next one. */
async function forgetJobs({ pool }: TestDatabase) {
  const { rows } = await pool.query("select to_regclass('svc_jobs.job') as jobs")
  if (rows[0].jobs) await pool.query('delete from svc_jobs.job')
}
