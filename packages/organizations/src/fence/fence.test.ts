import { randomUUID } from 'node:crypto'
import { prepared, withSettings } from '@svc/core'
import { connectDatabase, type Database } from '@svc/core/database'
import { poolerVersion, startTestPooler, type TestPooler } from '@svc/core/testing'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { acrossOrganizations, inOrganization } from './fence.ts'
import { createTestFence, log, refused, sumOf, untouched } from './test-fence.ts'
import { customers, invoices, ours, receipts, sums, theirs } from './test-shop.ts'

const tooOld =
  poolerVersion < 1.21 ? ' [not run: this machine has no pgbouncer of 1.21 or newer]' : ''

const fence = await createTestFence()
const { lone, processUrl, all } = fence
const server = await fence.startServer()
afterAll(() => fence.stop())
beforeEach(() => fence.fill())

async function ask(method: string, path: string, body?: object, key = randomUUID()) {
  const answer = await server.fetch(path, {
    method,
    headers: {
      'idempotency-key': key,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: await answer.json() }
}

describe('a route of an organization', () => {
  it('reads only its rows, although its filter is forgotten', async () => {
    for (const [org, cents] of [
      [ours, 100],
      [theirs, 900],
      [ours, 100],
    ]) {
      const { body } = await ask('GET', `/orgs/${org}/invoices`)
      expect(body.invoices).toMatchObject([{ organizationId: org, cents }])
    }
    expect((await ask('GET', `/orgs/${randomUUID()}/invoices`)).body.invoices).toEqual([])
  })

  it('changes only its rows by SQL of its own, and inserts without naming the organization', async () => {
    expect((await ask('POST', `/orgs/${ours}/raise`)).body).toEqual({ raised: 1 })
    expect(await all()).toEqual([{ org: ours, cents: 101 }, untouched[1]])
    const made = await ask('POST', `/orgs/${ours}/invoices`, { cents: 7 })
    expect(made.body).toMatchObject({ organizationId: ours, cents: 7 })
  })

  it('has the fence in an idempotent route, in a stale one and in a job', async () => {
    expect((await ask('GET', `/orgs/${theirs}/sum`)).body).toEqual({ sum: 900 })
    const key = randomUUID()
    for (let at = 0; at < 2; at++) {
      const paid = await ask('POST', `/orgs/${ours}/payments`, undefined, key)
      expect(paid.body).toEqual({ sum: 99 })
    }
    const run = randomUUID()
    await ask('POST', `/orgs/${theirs}/jobs`, { run })
    await vi.waitFor(() => expect(sums.get(run)).toEqual({ sum: 900 }), 5000)
  })

  it('keeps many requests of two organizations apart on two connections', async () => {
    const asked = Array.from({ length: 60 }, (_, at) => (at % 2 ? ours : theirs))
    const answers = await Promise.all(asked.map((org) => ask('GET', `/orgs/${org}/invoices`)))
    const seen = answers.map(({ body }) =>
      body.invoices.map((each: { organizationId: string }) => each.organizationId),
    )
    expect(seen).toEqual(asked.map((org) => [org]))
  })

  it('answers 500 outside an organization, and the log says what to use', async () => {
    const { status, body } = await ask('GET', '/invoices')
    expect(status).toBe(500)
    expect(JSON.stringify(body)).not.toContain('organization')
    expect(JSON.stringify(server.logged)).toContain(
      'outside an organization. Use c.db of a route with allow.inOrg, or inOrganization(db, id).',
    )
  })
})

describe('a statement in an organization', () => {
  const inside = () => inOrganization(lone.db, ours)

  it('can’t insert a row of another one, or move one there', async () => {
    const id = randomUUID()
    const values = { id, organizationId: theirs, cents: 1 }
    await refused(inside().insert(invoices).values(values), 'row-level security')
    await refused(inside().update(invoices).set({ organizationId: theirs }), 'row-level security')
    const moved = await inside()
      .update(invoices)
      .set({ organizationId: ours })
      .where(eq(invoices.organizationId, theirs))
    expect(moved.rowCount).toBe(0)
    const deleted = await inside().delete(invoices).where(eq(invoices.organizationId, theirs))
    expect(deleted.rowCount).toBe(0)
    expect(await all()).toEqual(untouched)
  })

  it('can’t refer to another one’s row, which it doesn’t see', async () => {
    const values = { id: randomUUID(), customerId: theirs, cents: 1 }
    await refused(inside().insert(invoices).values(values), 'violates foreign key constraint')
    expect(await all()).toEqual(untouched)
  })

  it('sees no row of another one by a join, a subselect or an id that it knows', async () => {
    const joined = await inside()
      .select({ id: customers.id })
      .from(customers)
      .fullJoin(invoices, sql`true`)
    expect(joined).toEqual([{ id: ours }])
    const { rows } = await inside().execute(sql`
      select (select count(*)::int from invoices where id = ${theirs}) as known,
        exists (select from customers where organization_id = ${theirs}) as named`)
    expect(rows).toEqual([{ known: 0, named: false }])
  })

  it('leaves nothing on its connection, also if it fails', async () => {
    expect(await sumOf(inside())).toBe(100)
    await refused(sumOf(lone.db), 'outside an organization')
    await refused(inside().execute(sql`select 1 / (select count(*) - 1 from invoices)`), 'division')
    await refused(sumOf(lone.db), 'outside an organization')
    expect(await sumOf(inOrganization(lone.db, theirs))).toBe(900)
    await refused(
      lone.db.transaction((tx) => sumOf(tx)),
      'outside an organization',
    )
  })

  it('finds its rows by the index, with the organization computed once', async () => {
    await inside().transaction(async (tx) => {
      await tx.execute(sql`set local enable_seqscan = off`)
      const { rows } = await tx.execute(
        sql`explain (costs off) select * from invoices where id = ${ours}`,
      )
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      expect(plan).toMatch(/InitPlan/)
      expect(plan).toMatch(/Index Cond: \(\(organization_id = \(InitPlan 1\)\.col1\) AND \(id = /)
      expect(plan).not.toContain('Filter')
    })
  })

  it('is fenced as a prepared statement, in savepoints and when it is repeated', async () => {
    const ofId = prepared('fence_invoice_of_id', (db, name) =>
      db
        .select({ cents: invoices.cents })
        .from(invoices)
        .where(eq(invoices.id, sql.placeholder('id')))
        .prepare(name),
    )
    const there = inOrganization(lone.db, theirs)
    expect(await ofId(inside()).execute({ id: ours })).toEqual([{ cents: 100 }])
    expect(await ofId(there).execute({ id: ours })).toEqual([])
    expect(await ofId(there).execute({ id: theirs })).toEqual([{ cents: 900 }])
    const tries: (number | undefined)[] = []
    await inside().transaction(
      async (tx) => {
        await tx.transaction((inner) => inner.execute(sql`select 1 / 0`)).catch(() => {})
        tries.push(await tx.transaction((inner) => sumOf(inner)))
        expect(await ofId(tx).execute({ id: theirs })).toEqual([])
        if (tries.length === 1) throw Object.assign(new Error('collided'), { code: '40001' })
      },
      { retry: true },
    )
    expect(tries).toEqual([100, 100])
  })
})

describe('a tenant table of another schema than public', () => {
  const receiptOf = (customerId: string) => ({ id: randomUUID(), customerId, text: 'Paid' })
  const insert = (org: string, customerId: string) =>
    inOrganization(lone.db, org).insert(receipts).values(receiptOf(customerId))
  const of = (org: string) => inOrganization(lone.db, org).select().from(receipts)

  it('is kept apart as the others are', async () => {
    await insert(ours, ours)
    await insert(theirs, theirs)
    expect(await of(ours)).toMatchObject([{ organizationId: ours, customerId: ours }])
    expect(await of(theirs)).toMatchObject([{ organizationId: theirs, customerId: theirs }])
    await refused(lone.db.select().from(receipts), 'outside an organization')
    await refused(insert(ours, theirs), 'violates foreign key constraint')
    const foreign = { ...receiptOf(theirs), organizationId: theirs }
    await refused(
      inOrganization(lone.db, ours).insert(receipts).values(foreign),
      'row-level security',
    )
    const door = { db: lone.db, record: async () => {} }
    const found = await acrossOrganizations(door, 'a report', (tx) => tx.select().from(receipts))
    expect(found).toHaveLength(2)
  })
})

describe('inOrganization', () => {
  it('refuses to enter another organization, or half of a transaction', async () => {
    const inside = inOrganization(lone.db, ours)
    expect(inOrganization(inside, ours)).toBe(inside)
    expect(() => inOrganization(inside, theirs)).toThrow(`is in the organization ${ours}`)
    await inside.transaction(async (tx) => {
      expect(inOrganization(tx, ours.toUpperCase())).toBe(tx)
      expect(() => inOrganization(tx, theirs)).toThrow(`is in the organization ${ours}`)
    })
    await lone.db.transaction(async (tx) => {
      expect(() => inOrganization(tx, ours)).toThrow('opened outside an organization')
    })
    expect(() => inOrganization(lone.db, 'ours')).toThrow('is a UUID')
  })
})

describe.skipIf(poolerVersion < 1.21)(`behind PgBouncer in transaction mode${tooOld}`, () => {
  let pooler: TestPooler
  let pooled: Database

  beforeAll(async () => {
    pooler = await startTestPooler(processUrl, { mode: 'transaction', preparedStatements: 100 })
    pooled = await connectDatabase(pooler.url, { log, maxConnections: 8 })
  })
  afterAll(async () => {
    await pooled.close()
    await pooler.stop()
  })

  it('two organizations and none are kept apart on two connections (F28)', async () => {
    const asked = Array.from({ length: 90 }, (_, at) => [ours, theirs, undefined][at % 3])
    const answers = await Promise.all(
      asked.map(async (org, at) => {
        const db = org ? inOrganization(pooled.db, org) : pooled.db
        const sum = at % 2 ? sumOf(db) : db.transaction((tx) => sumOf(tx))
        return sum.catch(() => 'refused')
      }),
    )
    const wanted = asked.map((org) => (org ? (org === ours ? 100 : 900) : 'refused'))
    expect(answers).toEqual(wanted)
  })
})

it('settings of the application are no door', () => {
  const db = withSettings(lone.db, { 'shop.branch': '1' })
  expect(() => inOrganization(db, ours)).toThrow('other settings')
})
