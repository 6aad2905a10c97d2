import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { migrate, migrationStatus } from './migrate.ts'

const log = { info: vi.fn(), warn: vi.fn() }
const root = await mkdtemp(join(tmpdir(), 'svc-migrations-'))
const databases: TestDatabase[] = []

let database: TestDatabase
let app: { name: string; directory: string }

beforeEach(async () => {
  database = await createTestDatabase()
  databases.push(database)
  app = await source('app', { '0001_notes.sql': 'create table notes (id int)' })
  log.info.mockClear()
})
afterAll(async () => {
  await Promise.all(databases.map((each) => each.drop()))
  await rm(root, { recursive: true })
})

async function source(name: string, files: Record<string, string>) {
  const directory = await mkdtemp(join(root, `${name}-`))
  await write(directory, files)
  return { name, directory }
}

async function write(directory: string, files: Record<string, string>) {
  await mkdir(directory, { recursive: true })
  for (const [name, sql] of Object.entries(files)) await writeFile(join(directory, name), sql)
}

async function tables() {
  const { rows } = await database.pool.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  )
  return rows.map(({ name }) => name)
}

const states = async (...sources: Parameters<typeof migrationStatus>[1]) =>
  (await migrationStatus(database, sources)).map(
    (each) => `${each.source}/${each.name} ${each.state}`,
  )

describe('migrate', () => {
  it('applies the sources in their order and the files of each in theirs', async () => {
    const auth = await source('auth', {
      '0002_index.sql': 'create index on users (id)',
      '0001_users.sql':
        'create table users (id int);\n--> statement-breakpoint\ncreate table keys (id int);',
      'notes.md': 'not SQL',
    })
    await write(app.directory, { '0002_owner.sql': 'create table owners as select * from users' })
    const sources = [{ ...auth, directory: pathToFileURL(auth.directory) }, app]

    expect(await states(...sources)).toEqual([
      'auth/0001_users.sql pending',
      'auth/0002_index.sql pending',
      'app/0001_notes.sql pending',
      'app/0002_owner.sql pending',
    ])
    await migrate(database, sources, { log })
    expect(await tables()).toEqual(['keys', 'notes', 'owners', 'users'])
    expect(
      (await migrationStatus(database, sources)).every(({ state }) => state === 'applied'),
    ).toBe(true)
  })

  it('applies each once, and later only what is new', async () => {
    await migrate(database, [app], { log })
    await migrate(database, [app], { log })
    await write(app.directory, { '0002_more.sql': 'create table more (id int)' })
    await migrate(database, [app], { log })
    expect(log.info.mock.calls.map(([fields]) => fields.migration)).toEqual([
      '0001_notes.sql',
      '0002_more.sql',
    ])
    const [first] = await migrationStatus(database, [app])
    expect(first?.appliedAt).toBeInstanceOf(Date)
  })

  it('refuses a file that was edited after its release, and names it', async () => {
    await migrate(database, [app], { log })
    await write(app.directory, {
      '0001_notes.sql': 'create table notes (id bigint)',
      '0002_more.sql': 'create table more (id int)',
    })
    await expect(migrate(database, [app], { log })).rejects.toThrow(
      /^app\/0001_notes\.sql was edited after it had been applied/,
    )
    expect(await states(app)).toEqual(['app/0001_notes.sql changed', 'app/0002_more.sql pending'])
    expect(await tables()).toEqual(['notes'])
  })

  it('takes a file with other line ends for the same', async () => {
    await write(app.directory, { '0001_notes.sql': 'create table notes (\nid int\n)' })
    await migrate(database, [app], { log })
    await write(app.directory, { '0001_notes.sql': 'create table notes (\r\nid int\r\n)' })
    await expect(migrate(database, [app], { log })).resolves.toBeUndefined()
  })

  it('rolls a failing file back whole, keeps those before it, and names the place', async () => {
    await write(app.directory, {
      '0002_bad.sql': 'create table half (id int);\n-- größer 🎉\n  create tabel typo (id int);',
      '0003_after.sql': 'create table after_bad (id int)',
    })
    await expect(migrate(database, [app], { log })).rejects.toThrow(
      /^app\/0002_bad\.sql:3:10: syntax error at or near "tabel"/,
    )
    expect(await tables()).toEqual(['notes'])
    expect(await states(app)).toEqual([
      'app/0001_notes.sql applied',
      'app/0002_bad.sql pending',
      'app/0003_after.sql pending',
    ])
  })

  it('keeps nothing of a file that it cannot record', async () => {
    await write(app.directory, {
      '0002_twice.sql': `create table twice (id int);
        insert into svc.migrations (source, name, checksum) values ('app', '0002_twice.sql', '')`,
    })
    await expect(migrate(database, [app], { log })).rejects.toThrow(
      /^app\/0002_twice\.sql: duplicate/,
    )
    expect(await tables()).toEqual(['notes'])
  })

  it('names a file that fails on its data', async () => {
    await write(app.directory, { '0002_data.sql': 'select 1 / 0' })
    await expect(migrate(database, [app], { log })).rejects.toThrow(
      /^app\/0002_data\.sql: division by zero/,
    )
  })

  it('names the file at which a role without rights has to stop', async () => {
    const role = new URL(database.url).pathname.slice(1)
    await database.pool.query(`create role ${role} login password 'svc'`)
    const url = new URL(database.url)
    url.username = role
    url.password = 'svc'
    const attempt = migrate({ url: url.href }, [app], { log })
    await expect(attempt).rejects.toMatchObject({
      name: 'MigrationError',
      message: expect.stringMatching(/^app\/0001_notes\.sql: permission denied for database/),
    })
    await database.pool.query(`drop role ${role}`)
  })

  it('goes on beside a migration of a newer release, and reports it', async () => {
    await write(app.directory, { '0002_newer.sql': 'create table newer (id int)' })
    await migrate(database, [app], { log })
    await rm(join(app.directory, '0002_newer.sql'))
    await migrate(database, [app], { log })
    expect(log.warn).toHaveBeenCalledWith(
      { source: 'app', migration: '0002_newer.sql' },
      expect.any(String),
    )
    expect(await states(app)).toEqual(['app/0001_notes.sql applied', 'app/0002_newer.sql missing'])
  })

  it('does not take a search_path from one file into the next', async () => {
    await write(app.directory, {
      '0002_dump.sql': `set search_path = ''; create table public.dumped (id int)`,
      '0003_next.sql': 'create table next_one (id int)',
    })
    await migrate(database, [app], { log })
    expect(await tables()).toEqual(['dumped', 'next_one', 'notes'])
  })

  it('refuses a source whose folder is gone, and two of one name', async () => {
    const gone = { name: 'auth', directory: join(root, 'nowhere') }
    await expect(migrate(database, [gone], { log })).rejects.toThrow(
      /migrations of auth are not at/,
    )
    await expect(migrate(database, [app, app], { log })).rejects.toThrow(/are called app/)
  })

  it('applies each migration once when eight connections race', async () => {
    await write(app.directory, {
      '0002_slow.sql': 'select pg_sleep(0.1); create table slow (id int)',
    })
    await Promise.all(Array.from({ length: 8 }, () => migrate(database, [app], { log })))
    expect(log.info).toHaveBeenCalledTimes(2)
    expect(await tables()).toEqual(['notes', 'slow'])
  })

  it('applies each migration once when eight instances boot on an empty database', async () => {
    const program = `
      import { migrate } from '${new URL('./migrate.ts', import.meta.url)}'
      const log = { info: () => console.log('applied'), warn() {} }
      await migrate({ url: process.argv[1] }, [JSON.parse(process.argv[2])], { log })`
    const boots = Array.from({ length: 8 }, () =>
      promisify(execFile)(process.execPath, [
        '--input-type=module',
        '-e',
        program,
        database.url,
        JSON.stringify(app),
      ]),
    )
    const outputs = await Promise.all(boots)
    expect(outputs.map(({ stdout }) => stdout).join('')).toBe('applied\n')
    expect(await tables()).toEqual(['notes'])
  })

  it('leaves no connection and no lock behind', async () => {
    await migrate(database, [app], { log })
    await vi.waitFor(async () => {
      const { rows } = await database.pool.query(
        `select 1 from pg_stat_activity where application_name = 'svc migrate' and datname = current_database()`,
      )
      expect(rows).toEqual([])
    })
  })
})
