import type { Tx } from '@svc/core'
import { desc, eq, lte, sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { firstPrevious, sealDigest } from '../audit/chain/digests.ts'
import { sealRows } from '../audit/chain/seal-rows.ts'
import { auditEvents, auditSeals, auditStatements } from '../audit/schema.ts'
import { startTestAuth } from '../testing.ts'
import { trailOf } from './testing/trail.ts'

const auth = await startTestAuth({ env: { SVC_AUTH_AUDIT_RETENTION_DAYS: '365' } })
const { db } = auth.auth
const trail = trailOf(auth)
const { verify, findingsAfter, seal, retain } = trail
afterAll(() => auth.stop())

const user = await auth.signedInUser()

async function someHead() {
  await auth.call('logout', undefined, await auth.signIn(user))
  auth.clock.advance('10m')
  await seal()
  const [last] = await db.select().from(auditSeals).orderBy(desc(auditSeals.position)).limit(1)
  if (!last) throw new Error('Nothing is sealed.')
  return last
}
const first = await someHead()
const second = await someHead()
const heads = await db.select().from(auditStatements)
const elsewhere = { heads: heads.map(({ signed }) => headLine(signed)) }

function headLine(signed: string) {
  return JSON.stringify({ signed, key: trail.publicKey() })
}

const begins = () => db.select().from(auditStatements).where(eq(auditStatements.kind, 'begin'))

/** Made-up seals that chain, of rows that were never there and would be past. */
function madeUp(
  to: number,
  { position, digest: previous } = { position: 0, digest: firstPrevious },
) {
  const seals = []
  let before = previous
  for (let at = position + 1; at <= to; at += 1) {
    const made = { position: at, act: 'login', content: 'x', previous: before }
    const digest = sealDigest({ ...made, auditId: String(-at), at: '946684800.000000' })
    seals.push({ ...made, auditId: -at, at: new Date('2000-01-01'), personal: 'x', digest })
    before = digest
  }
  return seals
}

async function forge(tx: Tx, to: number) {
  await tx.delete(auditEvents).where(lte(auditEvents.position, to))
  await tx.delete(auditSeals).where(lte(auditSeals.position, to))
  await tx.insert(auditSeals).values(madeUp(to))
  // So that there is something for retention to do.
  await tx.execute(sql`insert into svc_auth.audit_events (at, act, outcome)
    values ('2000-01-01', 'login', 'done')`)
}

describe('a begin', () => {
  it('is not signed for a chain that the last head is not of', async () => {
    const kept = await snapshot()
    await db.transaction(async (tx) => {
      await forge(tx, second.position)
      await tx.execute(sql`insert into svc_auth.audit_events (at, act, outcome)
        values (${auth.clock.now()}, 'login', 'done')`)
      await tx.execute(sql`delete from svc_auth.audit_statements`)
      await sealRows(tx, { now: auth.clock.now(), most: 10 })
    })
    await retain()
    expect(await begins()).toEqual([])
    expect(auth.logged).toContainEqual(
      expect.objectContaining({ msg: 'audit trail: the chain is not the one that was signed' }),
    )
    await kept.restore()
  })

  it('is not signed for a chain that an earlier head is not of', async () => {
    const kept = await snapshot()
    await db.transaction((tx) => forge(tx, first.position))
    await retain()
    expect(await begins()).toEqual([])
    await kept.restore()
  })

  const begin = async (
    tx: Tx,
    { digest = second.digest, before = auth.clock.now().toISOString() },
  ) => {
    const { position } = second
    const at = auth.clock.now()
    await tx.execute(sql`insert into svc_auth.audit_events (at, act, outcome)
      values (${at}, 'login', 'done')`)
    await sealRows(tx, { now: at, most: 10 })
    await tx.delete(auditEvents).where(lte(auditEvents.position, position))
    await tx.delete(auditSeals).where(lte(auditSeals.position, position))
    const statement = { kind: 'begin', at: at.toISOString(), before, position, digest } as const
    await tx.insert(auditStatements).values({ kind: 'begin', at, signed: trail.sign(statement) })
  }

  it('is compared with a head of its place', async () => {
    expect(await findingsAfter((tx) => begin(tx, {}))).toEqual([])
    const found = await findingsAfter((tx) => begin(tx, { digest: firstPrevious }))
    expect(found).toContainEqual(['rewritten', second.position])
  })

  const insertAt = (tx: Tx, position: number) =>
    tx.execute(sql`
      with row as (
        insert into svc_auth.audit_events (at, act, outcome, position)
        values (${auth.clock.now()}, 'login', 'done', ${position}) returning audit_id, at, act)
      insert into svc_auth.audit_seals
      select ${position}, audit_id, at, act, 'x', 'x', 'x', 'x' from row`)

  it('has no seal before it, and neither has the first position', async () => {
    for (const position of [0, -1]) {
      expect(await findingsAfter((tx) => insertAt(tx, position))).toEqual([['inserted', position]])
    }
    const found = await findingsAfter(async (tx) => {
      await begin(tx, {})
      await insertAt(tx, second.position)
    })
    expect(found).toEqual([['inserted', second.position]])
  })

  it('lets go of no head whose row was not past, also where it was kept elsewhere', async () => {
    const early = async (tx: Tx) => {
      await begin(tx, { before: '2000-01-02T00:00:00.000Z' })
      await tx.execute(sql`delete from svc_auth.audit_statements where kind = 'head'`)
    }
    expect(await findingsAfter(early)).toEqual([])
    expect(await findingsAfter(early, elsewhere)).toEqual([
      ['rewritten', first.position],
      ['rewritten', second.position],
    ])
  })
})

describe('a quiet trail', () => {
  it('gets a head an hour, so that a row of the quiet time that was put in later is found', async () => {
    const count = async () => (await verify()).heads
    const before = await count()
    auth.clock.advance('59m')
    await seal()
    expect(await count()).toBe(before)
    const quiet = new Date(auth.clock.now())
    auth.clock.advance('1m')
    await seal()
    expect(await count()).toBe(before + 1)
    auth.clock.advance('3h')
    await seal()
    const found = await findingsAfter(async (tx) => {
      await tx.execute(sql`insert into svc_auth.audit_events (at, act, outcome)
        values (${quiet}, 'login', 'done')`)
      await sealRows(tx, { now: auth.clock.now(), most: 10 })
    })
    expect(found).toContainEqual(['inserted', second.position + 1])
  })
})

describe('retention', () => {
  it('lets go of ten thousand seals in a transaction, and signs each time', async () => {
    const more = madeUp(second.position + 10_050, second)
    await db.insert(auditSeals).values(more.slice(0, 5000))
    await db.insert(auditSeals).values(more.slice(5000, 10_000))
    await db.insert(auditSeals).values(more.slice(10_000))
    auth.clock.advance('366d')
    await retain()
    const statements = await db.select().from(auditStatements)
    const idOf = (kind: string) => statements.find((each) => each.kind === kind)?.statementId ?? 0
    expect(idOf('begin') - idOf('cut')).toBe(2)
    expect(await db.$count(auditSeals)).toBe(1)
  })
})

/** Retention has transactions of its own, so what was done is put back. */
async function snapshot() {
  const tables = ['audit_events', 'audit_seals', 'audit_statements']
  for (const table of tables) {
    await db.execute(sql.raw(`create table public.kept_${table} as table svc_auth.${table}`))
  }
  const restore = async () => {
    for (const table of tables) {
      await db.execute(sql.raw(`delete from svc_auth.${table}`))
      await db.execute(
        sql.raw(`insert into svc_auth.${table} overriding system value table public.kept_${table}`),
      )
      await db.execute(sql.raw(`drop table public.kept_${table}`))
    }
    expect(await verify()).toMatchObject({ found: 0 })
  }
  return { restore }
}
