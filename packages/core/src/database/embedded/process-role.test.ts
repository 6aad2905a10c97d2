import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, type Pool } from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { defineJob, defineJobRouter, defineServer } from '../../index.ts'
import { createLogger } from '../../observation/logger.ts'
import { startServer } from '../../server/server.ts'
import { connectDatabase, type Database, migrate } from '../server.ts'
import { startEmbedded } from './start-embedded.ts'

const log = createLogger({ level: 'silent' })
const root = await mkdtemp(join(tmpdir(), 'svc-embedded-'))
afterAll(() => rm(root, { recursive: true }))

const url = `embedded:${join(root, 'data')}?fsync=off`
const sources = [{ name: 'app', directory: join(root, 'migrations') }]
await mkdir(join(root, 'migrations'))

async function migration(name: string, sql: string) {
  await writeFile(join(root, 'migrations', name), sql)
}

async function asOwner(ownerUrl: string, sql: string) {
  const client = new Client({ connectionString: ownerUrl })
  await client.connect()
  await client.query(sql)
  await client.end()
}

async function withDatabase(run: (database: Database) => Promise<void>) {
  const database = await connectDatabase(url, { log })
  try {
    await run(database)
  } finally {
    await database.close()
  }
}

/** The cases follow one directory through its life, in this order. */
describe('an embedded database', () => {
  it('is used by a role that reads and writes the tables, and neither owns nor alters them', async () => {
    await migration(
      '0001_shop.sql',
      'create schema shop; create table shop.notes (id serial, body text)',
    )
    await withDatabase(async (database) => {
      await migrate(database, sources, { log })
      const { rows } = await database.pool.query(
        `select current_user as role, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb
        from pg_roles where rolname = current_user`,
      )
      expect(rows).toEqual([
        {
          role: 'svc_process',
          rolsuper: false,
          rolbypassrls: false,
          rolcreaterole: false,
          rolcreatedb: false,
        },
      ])
      await database.pool.query(`insert into shop.notes (body) values ('one')`)
      await database.pool.query(`update shop.notes set body = 'two'`)
      const refused = [
        'alter table shop.notes add extra text',
        'alter table shop.notes disable row level security',
        'drop table shop.notes',
        'truncate shop.notes',
        'create table shop.more ()',
        'create table more ()',
        'set role postgres',
      ]
      for (const statement of refused) {
        await expect(database.pool.query(statement), statement).rejects.toMatchObject({
          code: '42501',
        })
      }
    })
  })

  it('grants it what later migrations make', async () => {
    await migration(
      '0002_more.sql',
      'create table more (id serial); create schema other; create table other.last ()',
    )
    await withDatabase(async (database) => {
      await migrate(database, sources, { log })
      await database.pool.query('insert into more default values')
      // Also what the owner makes by another way.
      await asOwner(database.directUrl, 'create table by_hand (id serial)')
      await database.pool.query('insert into by_hand default values')
      expect((await database.pool.query('select from other.last')).rowCount).toBe(0)
    })
  })

  it('of an older release gets the role at its next start, also one that had jobs', async () => {
    const ping = defineJob('ping').handler(() => {})
    const definition = defineServer().jobs(defineJobRouter({ ping }))
    const env = { NODE_ENV: 'test', SVC_LOG_LEVEL: 'silent', DATABASE_URL: url }
    const start = () => startServer(definition, { env, port: 0 })
    const first = await start()
    await ping.enqueue()
    await first.stop()
    // As it was: everything belongs to the owner, and there is no other role.
    const old = await startEmbedded(join(root, 'data'), { fsync: false })
    await asOwner(
      old.url,
      'reassign owned by svc_process to postgres; drop owned by svc_process; drop role svc_process',
    )
    await old.stop()

    const again = await start()
    try {
      await ping.enqueue()
      const { pool } = again.infrastructure.database as { pool: Pool }
      const { rows } = await pool.query(
        `select distinct tableowner from pg_tables where schemaname = 'svc_jobs'`,
      )
      expect(rows).toEqual([{ tableowner: 'svc_process' }])
      expect((await pool.query('select body from shop.notes')).rows).toEqual([{ body: 'two' }])
    } finally {
      await again.stop()
    }
  })
})
