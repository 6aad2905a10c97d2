import { eq, sql } from 'drizzle-orm'
import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createLogger } from '../observation/logger.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { connectStaleReads } from './replica/stale-reads.ts'
import { connectDatabase, type Database } from './server.ts'
import { prepared } from './statement.ts'
import { startTestPooler, type TestPooler, poolerVersion as version } from './test-pgbouncer.ts'
import { type Db, homeOf, settingsOf, type Tx, withSettings } from './transaction.ts'

const log = createLogger({ level: 'silent' })
const notes = pgTable('notes', { id: integer().primaryKey(), shop: text() })
const setting = sql<string>`coalesce(current_setting('test.shop', true), '')`
const tooOld = version < 1.21 ? ' [not run: this machine has no pgbouncer of 1.21 or newer]' : ''

let direct: TestDatabase
/** With one connection, so that each statement runs where the one before it ran. */
let lone: Database
let pooler: TestPooler | undefined
let pooled: Database | undefined

beforeAll(async () => {
  direct = await createTestDatabase()
  await direct.pool.query('create table notes (id int primary key, shop text)')
  lone = await connectDatabase(direct.url, { log, maxConnections: 1 })
  if (version < 1.21) return
  pooler = await startTestPooler(direct.url, { mode: 'transaction', preparedStatements: 100 })
  pooled = await connectDatabase(pooler.url, { log, maxConnections: 6 })
})
beforeEach(() => direct.pool.query('truncate notes'))
afterAll(async () => {
  await pooled?.close()
  await pooler?.stop()
  await lone.close()
  await direct.drop()
})

const inShop = (shop: string, db = lone.db) => withSettings(db, { 'test.shop': shop })

async function shopOf(db: Db) {
  const [row] = await db.select({ shop: setting }).from(sql`(values (1)) as one`)
  return row?.shop
}

const byId = prepared('settings_note_by_id', (db, name) =>
  db
    .select({ id: notes.id, shop: setting })
    .from(notes)
    .where(eq(notes.id, sql.placeholder('id')))
    .prepare(name),
)

describe('a statement with settings', () => {
  it('has them, and the next one on its connection does not', async () => {
    expect(await shopOf(inShop('ours'))).toBe('ours')
    expect(await shopOf(lone.db)).toBe('')
    expect(await shopOf(inShop('theirs'))).toBe('theirs')
    expect(await shopOf(lone.db)).toBe('')
  })

  it('has several of them, with any text in them', async () => {
    const odd = `it's "odd"\\ é $1`
    const db = withSettings(lone.db, { 'test.shop': odd, 'test.till': '7' })
    const { rows } = await db.execute(
      sql`select current_setting('test.shop') as shop, current_setting('test.till') as till`,
    )
    expect(rows).toEqual([{ shop: odd, till: '7' }])
  })

  it('answers rows, counts and nothing as it would without', async () => {
    const db = inShop('ours')
    expect(await db.insert(notes).values({ id: 1 }).returning()).toEqual([{ id: 1, shop: null }])
    const inserted = await db.insert(notes).values([{ id: 2 }, { id: 3 }])
    expect(inserted).toMatchObject({ rowCount: 2, command: 'INSERT', rows: [] })
    expect(await db.$count(notes)).toBe(3)
    expect((await db.execute('select 1 as one')).rows).toEqual([{ one: 1 }])
    expect(await db.update(notes).set({ shop: setting }).where(eq(notes.id, 2))).toMatchObject({
      rowCount: 1,
    })
    expect(await db.select().from(notes).where(eq(notes.id, 2))).toEqual([{ id: 2, shop: 'ours' }])
  })

  it('is one message, with one Sync, so that a pooler gives the connection to no other between', async () => {
    const client = await lone.pool.connect()
    const { stream } = client.connection
    const sent: Buffer[] = []
    const write = stream.write.bind(stream)
    Object.assign(stream, {
      write: (bytes: Buffer) => {
        sent.push(Buffer.from(bytes))
        return write(bytes)
      },
    })
    client.release()
    await shopOf(inShop('ours'))
    Reflect.deleteProperty(stream, 'write')
    // Parse, Bind and Execute of each, Describe of the second, Sync.
    expect(sent.map((bytes) => String.fromCharCode(bytes[0] as number)).join('')).toMatch(
      /^P?BEP?BDES$/,
    )
  })

  it('runs prepared statements, which keep what they were prepared as', async () => {
    await direct.pool.query('insert into notes values (1), (2)')
    expect(await byId(lone.db).execute({ id: 1 })).toEqual([{ id: 1, shop: '' }])
    expect(await byId(inShop('ours')).execute({ id: 1 })).toEqual([{ id: 1, shop: 'ours' }])
    expect(await byId(inShop('theirs')).execute({ id: 2 })).toEqual([{ id: 2, shop: 'theirs' }])
    expect(await byId(lone.db).execute({ id: 2 })).toEqual([{ id: 2, shop: '' }])
    const { rows } = await lone.pool.query('select name from pg_prepared_statements order by name')
    expect(rows).toEqual(
      expect.arrayContaining([{ name: 'settings_note_by_id' }, { name: 'svc_settings_1' }]),
    )
  })

  it('leaves nothing when it fails, and its connection can be used', async () => {
    const failing = [
      sql`select 1 / (length(${setting}) - 4)`,
      sql`select nothing from nowhere`,
      sql.raw('select 1; select 2'),
      sql.raw('not even sql'),
    ]
    for (const statement of failing) {
      await expect(inShop('ours').execute(statement)).rejects.toThrow()
      expect(await shopOf(lone.db)).toBe('')
    }
    expect(await byId(inShop('ours')).execute({ id: 1 })).toEqual([])
  })

  it('says which setting is not allowed, and the prepared statement after it still runs', async () => {
    const wrong = withSettings(lone.db, { server_version: '1' })
    await expect(byId(wrong).execute({ id: 1 })).rejects.toMatchObject({
      cause: { message: expect.stringContaining('server_version') },
    })
    expect(await byId(inShop('ours')).execute({ id: 1 })).toEqual([])
  })

  it('stays apart from others that run at the same time', async () => {
    const wanted = Array.from({ length: 40 }, (_, at) => (at % 3 === 0 ? '' : `shop ${at}`))
    const got = await Promise.all(
      wanted.map((shop) => shopOf(shop ? inShop(shop, direct.db) : direct.db)),
    )
    expect(got).toEqual(wanted)
  })

  it('is repeated with them after a collision', async () => {
    await direct.pool.query(`create sequence if not exists tries`)
    await direct.pool.query(`create or replace function collide_once() returns text language plpgsql as $$
      begin
        if nextval('tries') = 1 then raise exception 'collided' using errcode = '40001'; end if;
        return current_setting('test.shop');
      end $$`)
    const { rows } = await inShop('ours').execute(sql`select collide_once() as shop`)
    expect(rows).toEqual([{ shop: 'ours' }])
  })
})

describe('a transaction with settings', () => {
  it('has them in every statement and savepoint, until it ends', async () => {
    await inShop('ours').transaction(async (tx) => {
      expect(await shopOf(tx)).toBe('ours')
      await tx.transaction(async (inner) => expect(await shopOf(inner)).toBe('ours'))
      await tx
        .transaction(async (inner) => {
          await inner.execute(sql`set local test.shop = 'theirs'`)
          throw new Error('no')
        })
        .catch(() => {})
      expect(await shopOf(tx)).toBe('ours')
      await byId(tx).execute({ id: 1 })
    })
    expect(await shopOf(lone.db)).toBe('')
  })

  it('leaves nothing when it is rolled back, or can’t begin', async () => {
    const attempt = inShop('ours').transaction(() => Promise.reject(new Error('no')))
    await expect(attempt).rejects.toThrow('no')
    expect(await shopOf(lone.db)).toBe('')
    const odd = { isolationLevel: 'nonsense' as 'serializable' }
    await expect(inShop('ours').transaction(async () => {}, odd)).rejects.toThrow('nonsense')
    expect(await shopOf(lone.db)).toBe('')
  })

  it('is repeated with them after a collision', async () => {
    const seen: (string | undefined)[] = []
    const collided = Object.assign(new Error('collided'), { code: '40001' })
    await inShop('ours').transaction(
      async (tx) => {
        seen.push(await shopOf(tx))
        if (seen.length === 1) throw collided
      },
      { retry: true },
    )
    expect(seen).toEqual(['ours', 'ours'])
  })
})

describe('withSettings', () => {
  it('is the same database, and refuses to change settings half-way', async () => {
    const ours = inShop('ours')
    expect(homeOf(ours)).toBe(lone.db)
    expect(settingsOf(ours)).toEqual({ 'test.shop': 'ours' })
    expect(settingsOf(lone.db)).toBeUndefined()
    expect(inShop('ours', ours)).toBe(ours)
    expect(withSettings(ours, undefined)).toBe(ours)
    expect(() => inShop('theirs', ours)).toThrow('This database has other settings already')
    await ours.transaction(async (tx) => {
      expect(settingsOf(tx)).toEqual({ 'test.shop': 'ours' })
      expect(inShop('ours', tx)).toBe(tx)
      expect(() => inShop('theirs', tx)).toThrow('opened without these settings')
    })
    await lone.db.transaction(async (tx: Tx) => {
      expect(() => inShop('ours', tx)).toThrow('opened without these settings')
    })
  })

  it('works on a database that only reads, which refuses to write', async () => {
    const given = { database: lone, url: undefined, mostMillis: 1000, maxConnections: 1, log }
    const { db } = await connectStaleReads({ ...given, observer: undefined, schema: undefined })
    const ours = inShop('ours', db)
    expect(await shopOf(ours)).toBe('ours')
    expect(await ours.transaction((tx) => shopOf(tx))).toBe('ours')
    await expect(ours.insert(notes).values({ id: 1 })).rejects.toMatchObject({
      cause: { message: expect.stringContaining('.stale() route can only read') },
    })
    expect(await shopOf(db)).toBe('')
  })
})

describe.skipIf(version < 1.21)(`behind PgBouncer in transaction mode${tooOld}`, () => {
  it('settings end with their statement, also if sixty run on two connections (F28)', async () => {
    const { db } = pooled as Database
    await direct.pool.query('insert into notes values (1)')
    const wanted = Array.from({ length: 60 }, (_, at) => (at % 3 === 0 ? '' : `shop ${at}`))
    const got = await Promise.all(
      wanted.map(async (shop, at) => {
        const on = shop ? inShop(shop, db) : db
        if (at % 4 === 1) return on.transaction((tx) => shopOf(tx))
        if (at % 4 === 2) return (await byId(on).execute({ id: 1 }))[0]?.shop
        return shopOf(on)
      }),
    )
    expect(got).toEqual(wanted)
    const failed = await Promise.allSettled(
      wanted.map((shop) => inShop(shop || 'none', db).execute(sql`select 1 / 0`)),
    )
    expect(failed.every(({ status }) => status === 'rejected')).toBe(true)
    const left = await Promise.all(wanted.map(() => shopOf(db)))
    expect(new Set(left)).toEqual(new Set(['']))
  })
})
