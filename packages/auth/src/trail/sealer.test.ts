import type { TestServer } from '@svc/core/testing'
import { isNull, sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { sealTrail } from '../audit/jobs.ts'
import { auditEvents, auditSeals, auditStatements } from '../audit/schema.ts'
import { authOf } from '../auth.ts'
import { startTestAuth } from '../testing.ts'
import { trailOf } from './testing/trail.ts'

const auth = await startTestAuth()
const { db } = auth.auth
const { verify, seal } = trailOf(auth)
const second = await auth.secondInstance()
afterAll(() => auth.stop())

const write = (count: number) =>
  db.execute(sql`insert into svc_auth.audit_events (at, act, outcome)
    select ${auth.clock.now()}, 'many', 'done' from generate_series(1, ${count}::int)`)

/** What the job does on an instance. */
function sealOn(server: TestServer) {
  const { db: own, log } = authOf(server.infrastructure)
  const { signal } = new AbortController()
  return server.within(() => sealTrail({ db: own, log, clock: auth.clock, signal }))
}

describe('two sealers at once', () => {
  it('make one chain, without a gap and without a row that is sealed twice', async () => {
    await write(3000)
    const runs = Array.from({ length: 8 }, (_, at) => sealOn(at % 2 ? second : auth.server))
    expect(await Promise.allSettled(runs)).toEqual(
      runs.map(() => ({ status: 'fulfilled', value: undefined })),
    )
    await seal()
    expect(await verify()).toMatchObject({
      found: 0,
      unsealed: 0,
      sealed: await db.$count(auditEvents),
    })
  })
})

/** What a statement of this table comes to, until `mend` is called. */
async function breakAt(event: string, body: string) {
  await db.execute(
    sql.raw(`
    create function public.ends() returns trigger language plpgsql as
      $$ begin ${body}; return null; end $$;
    create trigger ends after ${event} for each statement execute function public.ends()`),
  )
  return () => db.execute(sql.raw('drop function public.ends cascade'))
}

const killed = 'perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(1)'

describe('a sealer that is killed', () => {
  it('between its statements leaves nothing, and the next one seals', async () => {
    auth.clock.advance('10m')
    await seal()
    const before = await db.$count(auditSeals)
    await write(10)
    const mend = await breakAt('update on svc_auth.audit_events', killed)
    await expect(seal()).rejects.toThrow()
    await mend()
    expect(await db.$count(auditSeals)).toBe(before)
    expect(await db.$count(auditEvents, isNull(auditEvents.position))).toBe(10)
    await seal()
    expect(await db.$count(auditSeals)).toBe(before + 10)
    expect(await verify()).toMatchObject({ found: 0, unsealed: 0 })
  })

  it('before it has signed leaves a chain that the next one signs', async () => {
    await write(10)
    auth.clock.advance('10m')
    const before = await db.$count(auditStatements)
    const mend = await breakAt('insert on svc_auth.audit_statements', killed)
    await expect(seal()).rejects.toThrow()
    await mend()
    expect(await verify()).toMatchObject({ found: 0, unsealed: 0, heads: before })
    await seal()
    expect(await verify()).toMatchObject({ found: 0, heads: before + 1 })
  })
})
