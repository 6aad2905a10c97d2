import { afterAll, expect, it } from 'vitest'
import { defineJob, defineJobRouter, defineServer } from '../index.ts'
import { createTestDatabase, startTestServer } from '../testing.ts'

const database = await createTestDatabase()
// The last route with a key or a limit went with an earlier release: this one has a job, and nothing that is kept.
const server = await startTestServer(
  defineServer().jobs(defineJobRouter({ tidy: defineJob('tidy').handler(() => {}) })),
  { env: { DATABASE_URL: database.url, SVC_MIGRATE: 'apply' } },
)
afterAll(async () => {
  await server.stop()
  await database.drop()
})

const { pool } = database
const tables = ['svc_core.idempotency_keys', 'svc_core.attempts']

/** Refuses a statement that deletes more than 10,000 rows, as the limit of 4 s would one of many more. */
async function bound(table: string) {
  await pool.query(`create or replace function refuse_many() returns trigger language plpgsql as $$
    begin
      if (select count(*) from gone) > 10000 then raise exception 'too many at once'; end if;
      return null;
    end $$`)
  await pool.query(`create trigger bound after delete on ${table} referencing old table as gone
    for each statement execute function refuse_many()`)
}

it('what no route of this release keeps is forgotten in batches, and what another holds is left', async () => {
  for (const table of tables) await bound(table)
  const ended = server.clock.now()
  await pool.query(
    `insert into svc_core.idempotency_keys (id, fingerprint, status, headers, expires_at)
    select n::text, 'f', 200, '{}', $1 from generate_series(1, 20001) n`,
    [ended],
  )
  await pool.query(
    `insert into svc_core.attempts (id, count, window_ends_at)
    select n::text, 1, $1 from generate_series(1, 20001) n`,
    [ended],
  )
  const holder = await pool.connect()
  await holder.query('begin')
  for (const table of tables) await holder.query(`select from ${table} where id = '7' for update`)
  try {
    await server.runScheduled('svc.forget-expired')
  } finally {
    await holder.query('commit')
    holder.release()
  }
  for (const table of tables) {
    expect((await pool.query(`select id from ${table}`)).rows).toEqual([{ id: '7' }])
  }
  await server.runScheduled('svc.forget-expired')
  for (const table of tables) expect((await pool.query(`select from ${table}`)).rowCount).toBe(0)
})
