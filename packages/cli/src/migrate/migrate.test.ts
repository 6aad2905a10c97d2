import { join } from 'node:path'
import { createTestDatabase } from '@svc/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApplication, orders, type TestApplication } from '../testing/application.ts'

type TestDatabase = Awaited<ReturnType<typeof createTestDatabase>>

let application: TestApplication
let database: TestDatabase
let env: { DATABASE_URL: string }

const server = `import { defineServer } from '@svc/core'

export default defineServer()
  .lifecycle({ name: 'billing', migrations: { name: 'billing', directory: new URL('./billing/', import.meta.url) } })
  .database({ migrations: new URL('./migrations/', import.meta.url) })
`

beforeAll(async () => {
  database = await createTestDatabase()
  env = { DATABASE_URL: database.url }
  application = await createApplication({
    ...orders,
    'server.ts': server,
    'billing/0001_customers.sql': 'create table customers (id text primary key);\n',
    'migrations/0001_orders.sql':
      'create table orders (id text primary key, customer text references customers);\n',
  })
})
afterAll(async () => {
  await application.remove()
  await database.drop()
})

async function status() {
  const { code, stdout, stderr } = await application.svc(['migrate', 'status'], { env })
  return { code, stderr, stdout: stdout.replace(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, '<when>') }
}

/** The cases follow one database through its life, in this order. */
describe('svc migrate', () => {
  it('status lists what is pending, packages first, and exits 1', async () => {
    const { code, stdout } = await status()
    expect(code).toBe(1)
    expect(stdout).toMatchInlineSnapshot(`
      "Source     Name                 State     When
      svc-core   0001_cache.sql       pending
      svc-core   0002_event_log.sql   pending
      svc-core   0003_presence.sql    pending
      svc-core   0004_numbers.sql     pending
      svc-core   0005_answers.sql     pending
      svc-core   0006_attempts.sql    pending
      billing    0001_customers.sql   pending
      app        0001_orders.sql      pending

      pending: not applied yet: run "npx @svc/cli migrate"
      "
    `)
  })

  it('applies what is pending, and then nothing', async () => {
    expect(await application.svc(['migrate'], { env })).toEqual({
      code: 0,
      stdout:
        'applied svc-core/0001_cache.sql\napplied svc-core/0002_event_log.sql\napplied svc-core/0003_presence.sql\napplied svc-core/0004_numbers.sql\napplied svc-core/0005_answers.sql\napplied svc-core/0006_attempts.sql\napplied billing/0001_customers.sql\napplied app/0001_orders.sql\n',
      stderr: '',
    })
    expect((await database.pool.query('select from orders')).rowCount).toBe(0)
    expect(await application.svc(['migrate'], { env })).toEqual({
      code: 0,
      stdout: 'nothing pending\n',
      stderr: '',
    })
  })

  it('status says when, and exits 0', async () => {
    const { code, stdout } = await status()
    expect(code).toBe(0)
    expect(stdout).toMatchInlineSnapshot(`
      "Source     Name                 State     When
      svc-core   0001_cache.sql       applied   <when>
      svc-core   0002_event_log.sql   applied   <when>
      svc-core   0003_presence.sql    applied   <when>
      svc-core   0004_numbers.sql     applied   <when>
      svc-core   0005_answers.sql     applied   <when>
      svc-core   0006_attempts.sql    applied   <when>
      billing    0001_customers.sql   applied   <when>
      app        0001_orders.sql      applied   <when>

      Everything is applied.
      "
    `)
  })

  it('names the file and the place of a migration that fails, and keeps those before it', async () => {
    await application.write('migrations/0002_notes.sql', 'create table notes (id text);\n')
    await application.write('migrations/0003_wrong.sql', 'create table\n  orders (id text);\n')
    const { code, stdout, stderr } = await application.svc(['migrate'], { env })
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'applied app/0002_notes.sql\n' })
    expect(stderr).toBe('app/0003_wrong.sql: relation "orders" already exists\n')
  })

  it('refuses a migration that was edited after it was applied; status says so, and exits 1', async () => {
    await application.write('migrations/0003_wrong.sql', 'create table tags (id text);\n')
    await application.svc(['migrate'], { env })
    await application.write('migrations/0002_notes.sql', 'create table notes (id uuid);\n')

    const { code, stderr } = await application.svc(['migrate'], { env })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^app\/0002_notes\.sql was edited after it had been applied: .+\n$/)
    const shown = await status()
    expect(shown.code).toBe(1)
    expect(shown.stdout).toMatchInlineSnapshot(`
      "Source     Name                 State     When
      svc-core   0001_cache.sql       applied   <when>
      svc-core   0002_event_log.sql   applied   <when>
      svc-core   0003_presence.sql    applied   <when>
      svc-core   0004_numbers.sql     applied   <when>
      svc-core   0005_answers.sql     applied   <when>
      svc-core   0006_attempts.sql    applied   <when>
      billing    0001_customers.sql   applied   <when>
      app        0001_orders.sql      applied   <when>
      app        0002_notes.sql       changed   <when>
      app        0003_wrong.sql       applied   <when>

      changed: edited after it was applied: restore the file, and write a new migration for the change
      "
    `)
  })

  it('shows no password that an error of the database carries', async () => {
    const telltale = await createApplication({
      ...orders,
      'server.ts': server.replace('billing/', 'migrations/').replaceAll("'billing'", "'telltale'"),
      'migrations/0001_fails.sql':
        "do $$ begin raise exception 'no postgres://app:hunter2@db/orders'; end $$;\n",
    })
    const { stderr } = await telltale.svc(['migrate'], { env })
    await telltale.remove()
    expect(stderr).toContain('telltale/0001_fails.sql: no postgres://app:[redacted]@db/orders\n')
  })

  it('tolerates a migration that this release lacks, and says so', async () => {
    const older = await createApplication({
      ...orders,
      'server.ts': server,
      'billing/0001_customers.sql': await application.read('billing/0001_customers.sql'),
      'migrations/0001_orders.sql': await application.read('migrations/0001_orders.sql'),
    })
    try {
      const { code, stdout } = await older.svc(['migrate', 'status'], { env })
      expect(code).toBe(0)
      expect(stdout).toContain('\nmissing: applied, but its file is not here: ')
      const migrated = await older.svc(['migrate'], { env })
      expect(migrated).toMatchObject({ code: 0, stdout: 'nothing pending\n' })
      expect(migrated.stderr).toContain('app/0002_notes.sql: ')
    } finally {
      await older.remove()
    }
  })
})

describe('a database that you did not name', () => {
  /** Where no folder can be, the database of development does not start. */
  async function saidOf(command: string[], files: Record<string, string> = {}) {
    const other = await createApplication({ ...orders, ...files, '.svc': '' })
    const { stderr } = await other.svc(command)
    await other.remove()
    return stderr
  }
  const first = 'on embedded:./.svc/data, because DATABASE_URL is not set'

  it.each(['migrate', 'migrate status'])('is named first, by svc %s', async (command) => {
    expect(await saidOf(command.split(' '))).toMatch(new RegExp(`^${first}\n`))
  })

  const file = { '.env': 'DATABASE_URL=postgres://app:hunter2@localhost:1/orders\n' }

  it('is the one in .env, as for svc start, without a word of its password', async () => {
    const said = await saidOf(['migrate'], file)
    expect(said).toMatch(/^on the DATABASE_URL of \.env\n[^\n]*DATABASE_URL[^\n]*\n$/)
    expect(said).not.toContain('hunter2')
  })

  it('is not the one in .env where another was given, by itself or in a file', async () => {
    const migrations = { 'migrations/0001_other.sql': 'create table other (id text);\n' }
    const other = await createApplication({ ...orders, ...file, ...migrations })
    await other.write('secrets/db', `${env.DATABASE_URL}\n`)
    for (const given of [env, { DATABASE_URL_FILE: join(other.root, 'secrets/db') }]) {
      const { stdout, stderr } = await other.svc(['migrate', 'status'], { env: given })
      expect(stdout).toContain('0001_other')
      expect(stderr).toBe('')
    }
    await other.remove()
  })

  it('is the one of DATABASE_URL_FILE in .env, and is named when that cannot be read', async () => {
    const named = { '.env': 'DATABASE_URL_FILE=/run/secrets/nowhere\n' }
    expect(await saidOf(['migrate'], named)).toBe(
      'The environment has problems:\n' +
        '  DATABASE_URL cannot be read: DATABASE_URL_FILE names a file that does not exist\n',
    )
  })
})

describe('a database that cannot be used', () => {
  it('is not named, in production', async () => {
    expect(await application.svc(['migrate'], { env: { NODE_ENV: 'production' } })).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'The environment has problems:\n  DATABASE_URL is required: this application has tables or jobs\n',
    })
  })

  it.each(['postgres://app:hunter2@localhost:1/orders', 'postgres//app:hunter2@localhost/orders'])(
    'gets one sentence without its password',
    async (url) => {
      const { code, stderr } = await application.svc(['migrate', 'status'], {
        env: { DATABASE_URL: url },
      })
      expect(code).toBe(1)
      expect(stderr).toMatch(/^[^\n]*DATABASE_URL[^\n]*\n$/)
      expect(stderr).not.toContain('hunter2')
    },
  )
})
