import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { createLogger } from '../observation/logger.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { connectDatabase, migrate } from './server.ts'

const log = createLogger({ level: 'silent' })
const root = await mkdtemp(join(tmpdir(), 'svc-roles-'))
const superuser = await createTestDatabase()
const mark = randomBytes(4).toString('hex')
// A name that has to be quoted.
const [owner, app, reader] = [`Owner ${mark}`, `app-${mark}`, `reader_${mark}`]

afterAll(async () => {
  const roles = [owner, app, reader].map((role) => `"${role}"`)
  for (const role of roles) {
    await superuser.pool.query(`reassign owned by ${role} to current_user`)
    await superuser.pool.query(`drop owned by ${role}`)
  }
  await superuser.pool.query(`drop role ${roles.join(', ')}`)
  await superuser.drop()
  await rm(root, { recursive: true })
})

await superuser.pool.query(`
  create role "${owner}" login createrole password 'secret';
  do $$ begin execute format('grant create on database %I to "${owner}" with grant option', current_database()); end $$;
  grant create on schema public to "${owner}"`)
await writeFile(
  join(root, '0001_first.sql'),
  `create role "${reader}" nologin; create schema shop; create table shop.notes (id serial, body text);
  create table plain (id int)`,
)

const as = (role: string) => {
  const url = new URL(superuser.url)
  url.username = encodeURIComponent(role)
  url.password = 'secret'
  return url.href
}

const source = { name: 'app', directory: root, roles: [reader] }

async function tables(pool: Pool) {
  await pool.query(`insert into shop.notes (body) values ('one')`)
  return (await pool.query('select from plain')).rowCount
}

describe('migrating as the owner of the tables', () => {
  const addresses = { url: as(app), directUrl: as(owner) }

  it('grants the role of the server what it needs, and says nothing of it', async () => {
    await superuser.pool.query(`create role "${app}" login password 'secret'`)
    await migrate(addresses, [source], { log })
    const database = await connectDatabase(as(app), { log, directUrl: as(owner) })
    expect(await tables(database.pool)).toBe(0)
    await expect(database.pool.query('drop table plain')).rejects.toMatchObject({ code: '42501' })
    await database.pool.query('create schema svc_own; drop schema svc_own')
    await writeFile(join(root, '0002_more.sql'), 'create table more (id serial)')
    await migrate(addresses, [source], { log })
    await database.pool.query('insert into more default values')
    await database.close()
  })

  it('lets it take a role of the migrations, from which it inherits nothing', async () => {
    const database = await connectDatabase(as(app), { log, directUrl: as(owner) })
    const { rows } = await database.pool.query(
      `select pg_has_role('${reader}', 'member') as member, pg_has_role('${reader}', 'usage') as inherits`,
    )
    expect(rows).toEqual([{ member: true, inherits: false }])
    await database.pool.query(`begin; set local role "${reader}"; commit`)
    await migrate(database, [source], { log })
    await database.close()
  })

  it('lets the owner take it too, if the server is the owner', async () => {
    await migrate({ url: as(owner) }, [source], { log })
    const database = await connectDatabase(as(owner), { log })
    await database.pool.query(`begin; set local role "${reader}"; commit`)
    const { rows } = await database.pool.query(
      `select pg_has_role('${reader}', 'usage') as inherits`,
    )
    expect(rows).toEqual([{ inherits: false }])
    await database.close()
  })
})
