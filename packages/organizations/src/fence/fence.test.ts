import { randomUUID } from 'node:crypto'
import { createLogger, type Db, migrationSources, prepared, withSettings } from '@svc/core'
import { connectDatabase, type Database } from '@svc/core/database'
import {
  createTestDatabase,
  poolerVersion,
  startTestPooler,
  startTestServer,
  type TestPooler,
} from '@svc/core/testing'
import { eq, type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { acrossOrganizations, inOrganization, requireFence } from './fence.ts'
import { customers, fill, invoices, ours, shop, sums, theirs } from './test-shop.ts'

const log = createLogger({ level: 'silent' })
const tooOld =
  poolerVersion < 1.21 ? ' [not run: this machine has no pgbouncer of 1.21 or newer]' : ''

/** Its pool is that of the owner, whom no policy binds. */
const owner = await createTestDatabase({ sources: migrationSources(shop) })
const { processUrl = '' } = owner
const server = await startTestServer(shop, {
  env: {
    DATABASE_URL: processUrl,
    DATABASE_URL_DIRECT: owner.url,
    SVC_DATABASE_CONNECTIONS: '2',
  },
})
/** With one connection, so that each statement runs where the one before it ran. */
const lone = await connectDatabase(processUrl, { log, maxConnections: 1 })
afterAll(async () => {
  await lone.close()
  await server.stop()
  await owner.drop()
})
beforeEach(() => fill(owner.pool))

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

const sumOf = async (db: Db) => {
  const rows = await db.select({ sum: sql<number>`coalesce(sum(cents), 0)::int` }).from(invoices)
  return rows[0]?.sum
}

/** The rows of both, as the owner sees them. */
async function all() {
  const { rows } = await owner.pool.query(
    'select organization_id as org, cents from invoices order by organization_id, cents',
  )
  return rows
}

const untouched = [
  { org: ours, cents: 100 },
  { org: theirs, cents: 900 },
]

const refused = (run: PromiseLike<unknown>, words: string | RegExp) =>
  expect(run).rejects.toMatchObject({
    cause: {
      message:
        typeof words === 'string' ? expect.stringContaining(words) : expect.stringMatching(words),
    },
  })

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

describe('acrossOrganizations', () => {
  const reasons: string[] = []
  const door = (db = lone.db) => ({
    db,
    record: async (_: Db, reason: string) => void reasons.push(reason),
  })

  it('sees and changes the rows of all, after it has recorded why', async () => {
    const sum = await acrossOrganizations(door(), 'yearly report', async (tx) => {
      expect(reasons).toEqual(['yearly report'])
      await tx.update(invoices).set({ cents: sql`cents + 1` })
      return sumOf(tx)
    })
    expect(sum).toBe(1002)
    await refused(sumOf(lone.db), 'outside an organization')
    expect((await lone.db.execute(sql`select current_user as role`)).rows).toEqual([
      { role: 'svc_process' },
    ])
  })

  it('leaves nothing on its connection if it fails, but the reason', async () => {
    const failing = acrossOrganizations(door(), 'correction', async (tx) => {
      await tx.delete(invoices)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(reasons.at(-1)).toBe('correction')
    expect(await all()).toEqual(untouched)
    await refused(sumOf(lone.db), 'outside an organization')
  })

  it('reads nothing if the reason is missing, or can’t be recorded', async () => {
    const run = vi.fn(sumOf)
    await expect(acrossOrganizations(door(), ' ', run)).rejects.toThrow('Say why')
    const record = () => Promise.reject(new Error('trail is full'))
    const attempt = acrossOrganizations({ ...door(), record }, 'report', run)
    await expect(attempt).rejects.toThrow('trail is full')
    expect(run).not.toHaveBeenCalled()
  })

  it('is no way out of an organization', async () => {
    const from = (db: Db) => acrossOrganizations(door(db), 'report', sumOf)
    await expect(from(inOrganization(lone.db, ours))).rejects.toThrow('outside an organization')
    await lone.db.transaction((tx) => expect(from(tx)).rejects.toThrow('outside an organization'))
  })

  it('reads by the index of an organization that it names', async () => {
    const plan = await acrossOrganizations(door(), 'plan', async (tx) => {
      await tx.execute(sql`set local enable_seqscan = off`)
      const { rows } = await tx.execute(
        sql`explain (costs off) select * from invoices where organization_id = ${ours}`,
      )
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })
    expect(plan).toContain(`Index Cond: (organization_id = '${ours}'::uuid)`)
    expect(plan).not.toContain('InitPlan')
  })
})

describe('requireFence', () => {
  const dialect = new PgDialect()
  /** Undoes the change with its transaction. */
  async function startAfter(change: string, as = 'svc_process') {
    const client = await owner.pool.connect()
    try {
      await client.query('begin')
      await client.query(change)
      await client.query(`set local role ${as}`)
      const execute = async (statement: Parameters<Db['execute']>[0]) => {
        const { sql: text, params } = dialect.sqlToQuery(statement as SQL)
        return client.query(text, params)
      }
      await requireFence({ execute } as unknown as Db)
    } finally {
      await client.query('rollback')
      client.release()
    }
  }

  it('lets a role in that the policies bind', async () => {
    await expect(startAfter('select 1')).resolves.toBeUndefined()
    await expect(requireFence(lone.db)).resolves.toBeUndefined()
  })

  it.each([
    ['is a superuser', 'alter role svc_process superuser'],
    ['has BYPASSRLS', 'alter role svc_process bypassrls'],
    [
      'inherits from svc_across_organizations',
      'grant svc_across_organizations to svc_process with inherit true',
    ],
  ])('refuses one that %s, and says what to do', async (reason, change) => {
    await expect(startAfter(change)).rejects.toThrow(
      new RegExp(
        `DATABASE_URL connects as "svc_process", which ${reason}: .*customers, invoices .*DATABASE_URL_DIRECT`,
      ),
    )
  })

  it('refuses the superuser at the start of a server', async () => {
    const env = { DATABASE_URL: owner.url }
    await expect(startTestServer(shop, { env })).rejects.toThrow('is a superuser')
  })

  it.each([
    ['off', 'alter table invoices disable row level security'],
    [
      'not forced on its owner',
      'alter table invoices no force row level security; alter table invoices owner to svc_process',
    ],
  ])('refuses a table whose row level security is %s', async (_, change) => {
    await expect(startAfter(change)).rejects.toThrow('invoices: row level security is off, or does')
  })
})

describe('what the fence rests on', () => {
  const changed = async (change: string, undo: string, run: () => Promise<void>) => {
    await owner.pool.query(change)
    try {
      await run()
    } finally {
      await owner.pool.query(undo)
    }
  }

  it('a table without its policy shows nothing, and one without row security everything', async () => {
    await changed(
      'alter table invoices disable row level security',
      'alter table invoices enable row level security',
      async () => expect(await sumOf(inOrganization(lone.db, ours))).toBe(1000),
    )
    expect(await sumOf(inOrganization(lone.db, ours))).toBe(100)
  })

  it('a setting that outlived its statement would be found by the next user of the connection', async () => {
    await lone.pool.query(`select set_config('svc.organization', '${ours}', false)`)
    expect(await sumOf(lone.db)).toBe(100)
    await lone.pool.query(`select set_config('svc.organization', '', false)`)
    await refused(sumOf(lone.db), 'outside an organization')
  })

  it('the owner of the tables is bound as well, if it is no superuser', async () => {
    await owner.pool.query(`
      create role fence_owner login; grant usage, create on schema public to fence_owner;
      alter table invoices owner to fence_owner`)
    const client = await owner.pool.connect()
    await client.query(`begin; set local role fence_owner; set local svc.organization = '${ours}'`)
    const { rows } = await client.query('select cents from invoices')
    await client.query('rollback')
    client.release()
    await owner.pool.query(`
      alter table invoices owner to current_user; drop owned by fence_owner; drop role fence_owner`)
    expect(rows).toEqual([{ cents: 100 }])
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
