import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { templateName } from './template-database.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

const directory = await mkdtemp(join(tmpdir(), 'svc-sources-'))
await writeFile(join(directory, '0001_notes.sql'), `create table notes (id int); -- ${directory}`)
const sources = [{ name: 'app', directory }]
const keeper = await createTestDatabase()

afterAll(async () => {
  await keeper.drop()
  await rm(directory, { recursive: true })
})

async function names() {
  const { rows } = await keeper.pool.query<{ datname: string }>('select datname from pg_database')
  return rows.map(({ datname }) => datname)
}

/** Other files make templates too, at the same time. */
async function templateOid() {
  const which = 'select oid::int from pg_database where datname = $1'
  const { rows } = await keeper.pool.query<{ oid: number }>(which, [await templateName(sources)])
  return rows[0]?.oid
}

const nameOf = ({ url }: TestDatabase) => new URL(url).pathname.slice(1)

describe('createTestDatabase', () => {
  it('gives each caller a database of its own with the migrations applied', async () => {
    const databases = await Promise.all(
      Array.from({ length: 4 }, () => createTestDatabase({ sources })),
    )
    for (const [at, { pool }] of databases.entries()) {
      await pool.query('insert into notes select generate_series(1, $1)', [at])
    }
    const counts = databases.map(({ pool }) => pool.query('select count(*) as n from notes'))
    expect((await Promise.all(counts)).map(({ rows }) => rows[0].n)).toEqual([0, 1, 2, 3])
    await Promise.all(databases.map((database) => database.drop()))
  })

  it('applies the migrations once, and again when one is edited', async () => {
    const before = await templateOid()
    const first = await createTestDatabase({ sources })
    expect(before).toBeTypeOf('number')
    expect(await templateOid()).toBe(before)
    await writeFile(
      join(directory, '0001_notes.sql'),
      `create table edited (id int); -- ${directory}`,
    )
    const second = await createTestDatabase({ sources })
    expect((await second.pool.query('select from edited')).rowCount).toBe(0)
    await Promise.all([first.drop(), second.drop()])
  })

  it('leaves nothing behind', async () => {
    const database = await createTestDatabase({ sources })
    expect(await names()).toContain(nameOf(database))
    await database.drop()
    expect(await names()).not.toContain(nameOf(database))
  })

  it('drops what a killed run left, and nothing that is in use', async () => {
    const living = await createTestDatabase({ sources })
    const program = `
      import { createTestDatabase } from '${new URL('./test-database.ts', import.meta.url)}'
      const { url } = await createTestDatabase()
      console.log(new URL(url).pathname.slice(1))
      process.exit()`
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--conditions=svc-source',
      '--input-type=module',
      '-e',
      program,
    ])
    expect(await names()).toContain(stdout.trim())

    await (await createTestDatabase()).drop()
    expect(await names()).not.toContain(stdout.trim())
    expect(await names()).toContain(nameOf(living))
    await living.drop()
  })
})
