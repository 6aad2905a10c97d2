import type { Db } from '@svc/core'
import { startTestServer } from '@svc/core/testing'
import { type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { acrossOrganizations, inOrganization, requireFence } from './fence.ts'
import { createTestFence, refused, sumOf, untouched } from './test-fence.ts'
import { invoices, ours, shop } from './test-shop.ts'

const fence = await createTestFence()
const { lone, owner, all } = fence
afterAll(() => fence.stop())
beforeEach(() => fence.fill())

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

  it('also looks at the tables of other schemas than public', async () => {
    const change = 'alter table billing.receipts disable row level security'
    await expect(startAfter(change)).rejects.toThrow('billing.receipts: row level security is off')
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
