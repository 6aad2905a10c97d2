import type { Tx } from '@svc/core'
import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { sealRows } from '../audit/chain/seal-rows.ts'
import { startTestAuth } from '../testing.ts'
import { trailOf } from './testing/trail.ts'

const auth = await startTestAuth()
const { db } = auth.auth
const { verify, seal } = trailOf(auth)
afterAll(() => auth.stop())

const write = (count: number) =>
  db.execute(sql`insert into svc_auth.audit_events (at, act, outcome)
    select ${auth.clock.now()}, 'many', 'done' from generate_series(1, ${count}::int)`)

describe('a run of the sealer', () => {
  const rowsRead = async (tx: Tx) => {
    const { rows } = await tx.execute<{ read: string }>(sql`
      select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as read
      from pg_stat_xact_user_tables where relid = 'svc_auth.audit_events'::regclass`)
    return Number(rows[0]?.read)
  }

  it('does not look at the refusals of the hour, however many there are', async () => {
    await db.execute(sql`
      insert into svc_auth.audit_events (at, act, outcome, repeat_key)
      select ${auth.clock.now()}, 'login', 'refused', 'of ' || n from generate_series(1, 20000) n`)
    await write(3)
    await db.execute(sql`analyze svc_auth.audit_events`)
    await db.transaction(async (tx) => {
      const before = await rowsRead(tx)
      expect(await sealRows(tx, { now: auth.clock.now(), most: 500 })).toBe(3)
      expect((await rowsRead(tx)) - before).toBeLessThan(100)
    })
    auth.clock.advance('66m')
    await seal()
    expect(await verify()).toMatchObject({ found: 0, unsealed: 0 })
  })
})
