import { afterAll, describe, expect, it } from 'vitest'
import { defineServer, migrationSources } from '../../index.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { World } from './world.ts'

const schedules = Number(process.env.SVC_TEST_SCHEDULES ?? 12)
const first = Number(process.env.SVC_TEST_FIRST_SCHEDULE ?? 1)
const stepsOfEach = 60

const database = await createTestDatabase({ sources: migrationSources(defineServer()) })
afterAll(() => database.drop())

/** What instances of the schedule before have under way ends first. */
async function startAgain() {
  const { pool } = database
  await pool.query(
    `select pg_terminate_backend(pid, 1000) from pg_stat_activity
     where application_name = 'svc events' and datname = current_database()`,
  )
  await pool.query('truncate svc_core.event_rows, svc_core.event_ticks, svc_core.event_slots')
  await pool.query('delete from svc_core.event_logs')
}

async function complaintsOf(seed: number) {
  await startAgain()
  const world = new World(database, { seed })
  return world.run(stepsOfEach).finally(() => world.stop())
}

describe('clients that come back to instances that come and go', () => {
  it(`R42: get every event once, in order, and none that they may not see: ${schedules} schedules (R43)`, {
    timeout: Math.max(120_000, schedules * 5000),
  }, async () => {
    for (let seed = first; seed < first + schedules; seed++) {
      expect({ seed, complaints: await complaintsOf(seed) }).toEqual({ seed, complaints: [] })
    }
  })

  it('would miss some of them if positions followed the inserts', async () => {
    const { pool } = database
    const { rows } = await pool.query<{ text: string }>(
      "select pg_get_functiondef('svc_core.tick_events'::regproc) as text",
    )
    const [{ text } = { text: '' }] = rows
    // What was under way at the tick before is passed over.
    await pool.query(text.replace(/caught_up := array\([^;]*;/, "caught_up := '{}';"))
    const complaints: string[] = []
    try {
      for (let seed = 1; seed <= 5; seed++) complaints.push(...(await complaintsOf(seed)))
    } finally {
      await pool.query(text)
    }
    expect(complaints.some((complaint) => complaint.includes('is not in the log'))).toBe(true)
  })
})
