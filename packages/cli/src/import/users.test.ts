import { chmod, link, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createLogger } from '@svc/core'
import { connectDatabase, migrate } from '@svc/core/database'
import { createTestDatabase } from '@svc/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApplication, type TestApplication } from '../testing/application.ts'
import { countOutcomes } from './count-outcomes.ts'

type TestDatabase = Awaited<ReturnType<typeof createTestDatabase>>

let application: TestApplication
let database: TestDatabase
let env: { DATABASE_URL: string }

const person = (name: string, more: object = {}) =>
  JSON.stringify({ id: name, email: `${name}@example.com`, emailVerified: true, ...more })

const hash = '$2b$05$zg636yHxGQYglo/5KJS11OmbExETEcLqHBZfaQ7bOr4ZfCHFmfqeW'

beforeAll(async () => {
  database = await createTestDatabase()
  env = { DATABASE_URL: database.url }
  application = await createApplication({
    'package.json': '{ "name": "board", "type": "module" }',
    'server.ts': `import { createAuthLifecycle } from '@svc/auth/server'
import { defineServer } from '@svc/core'

export default defineServer().lifecycle(createAuthLifecycle())
`,
    'bare.ts': `import { defineServer } from '@svc/core'
export default defineServer().database({ migrations: new URL('./migrations/', import.meta.url) })
`,
    'migrations/0001_none.sql': 'select 1;\n',
    'exports/people.jsonl': [
      person('ada', { passwordHash: hash }),
      person('grace', { username: 'Grace Hopper' }),
      person('mallory', { passwordHash: 'hunter2-in-the-clear' }),
      '{"email": "cut off at the',
    ].join('\n'),
    'exports/all-is-well.csv': 'email,passwordHash\nada@example.com,\nbob@example.com,\n',
  })
  await migrated(database.url)
  // As the first start of a server would.
  await database.pool.query(
    `insert into svc_auth.roles (role_id, name, display_name, priority)
     values (gen_random_uuid(), 'user', 'User', 10)`,
  )
})
afterAll(async () => {
  await application.remove()
  await database.drop()
})

async function migrated(url: string) {
  const log = createLogger({ level: 'silent' })
  const directory = new URL('../../../auth/migrations/', import.meta.url)
  const connected = await connectDatabase(url, { log })
  await migrate(connected, [{ name: 'svc-auth', directory }], { log })
  await connected.close()
}

const importing = (...args: string[]) =>
  application.svc(['users', 'import', ...args], { env, from: 'exports' })

const pathOf = (name: string) => join(application.root, 'exports', name)

const emails = async () => {
  const { rows } = await database.pool.query('select email from svc_auth.users order by email')
  return rows.map(({ email }) => email)
}

// Each of these is a process, and takes seconds on a machine that is busy.
const patience = { timeout: 60_000 }

/** The cases follow one database, in this order. */
describe('svc users import', patience, () => {
  it('says in a dry run what would become of each row, and changes nothing', async () => {
    const { code, stdout, stderr } = await importing('people.jsonl', '--dry-run')
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(stdout).toMatchInlineSnapshot(`
      "would be created   2
      existed already    0
      refused            2

      hash_unknown: 1
        the password hash has an unknown format
        line 3

      unreadable: 1
        the record cannot be read: an open quotation mark, a wrong number of columns, or invalid JSON
        line 4

      not imported for the created accounts: username of 1

      This was a dry run: nothing was changed.
      "
    `)
    expect(await emails()).toEqual([])
  })

  it('says what a database lacks, before it reads a row', async () => {
    const fresh = await createTestDatabase()
    const run = () =>
      application.svc(['users', 'import', 'people.jsonl', '--dry-run'], {
        env: { DATABASE_URL: fresh.url },
        from: 'exports',
      })
    const bare = await run()
    expect({ code: bare.code, stderr: bare.stderr }).toEqual({
      code: 1,
      stderr:
        'This database is not migrated. Run "npx @svc/cli migrate", then start the server once.\n',
    })
    await migrated(fresh.url)
    const { code, stderr } = await run()
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'This database has no roles yet. Start the server once to create them.\n',
    })
    await fresh.drop()
  })

  it('says of a file without rows that it has none', async () => {
    await application.write('exports/empty.csv', 'email,passwordHash\n')
    expect((await importing('empty.csv')).stdout).toMatch(/^The file has no rows\.\n/)
  })

  it('writes no report over its export, not even by another name', async () => {
    await link(pathOf('people.jsonl'), pathOf('linked.jsonl'))
    const before = await application.read('exports/people.jsonl')
    for (const report of ['people.jsonl', 'linked.jsonl']) {
      const { code, stderr } = await importing('people.jsonl', '--report', report)
      expect(code).toBe(1)
      expect(stderr).toContain('give --report another file')
    }
    expect(await application.read('exports/people.jsonl')).toBe(before)
    expect(await emails()).toEqual([])
  })

  it('opens accounts, and writes addresses to the report alone, and passwords nowhere', async () => {
    await application.write('exports/report.jsonl', 'of another run\n'.repeat(1000))
    await chmod(pathOf('report.jsonl'), 0o644)
    const { code, stdout, stderr } = await importing('people.jsonl', '--report', 'report.jsonl')
    expect(code).toBe(1)
    for (const secret of ['@', '$2b', 'hunter2', 'cut off']) {
      expect(stdout + stderr).not.toContain(secret)
    }
    expect(await emails()).toEqual(['ada@example.com', 'grace@example.com'])
    const report = (await application.read('exports/report.jsonl')).trim().split('\n')
    expect(report.map((row) => JSON.parse(row))).toEqual([
      {
        line: 1,
        externalId: 'ada',
        email: 'ada@example.com',
        outcome: 'created',
        userId: expect.any(String),
      },
      {
        line: 2,
        externalId: 'grace',
        email: 'grace@example.com',
        left: ['username'],
        outcome: 'created',
        userId: expect.any(String),
      },
      { line: 3, outcome: 'refused', reason: 'hash_unknown' },
      { line: 4, outcome: 'refused', reason: 'unreadable' },
    ])
    const { mode } = await stat(pathOf('report.jsonl'))
    if (process.platform !== 'win32') expect(mode & 0o777).toBe(0o600)
  })

  it('can be run again, and exits 0 when no row is refused', async () => {
    const { code, stdout } = await importing('all-is-well.csv')
    expect({ code, stdout }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stdout": "created           1
      existed already   1
      refused           0
      ",
      }
    `)
  })

  it('says that a file cannot be read', async () => {
    const file = pathOf('shut.csv')
    // Not even root reads this one; elsewhere the mode of a file says it.
    if (process.platform === 'linux') await symlink('/proc/sys/vm/compact_memory', file)
    else await writeFile(file, '', { mode: 0 })
    expect(await importing('shut.csv')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'shut.csv cannot be read: EACCES.\n',
    })
  })

  it.each([
    ['a file that is not there', ['none.csv'], 'There is no file none.csv.'],
    [
      'an application without accounts',
      ['people.jsonl', '--server', '../bare.ts'],
      'createAuthLifecycle()',
    ],
    [
      'parameters of Firebase that are none',
      ['people.jsonl', '--from', 'firebase', '--firebase-hash-config', 'all-is-well.csv'],
      'Copy the whole block "hash_config"',
    ],
  ])('says what to do about %s', async (_, args, advice) => {
    const { code, stderr } = await importing(...args)
    expect(code).toBeGreaterThan(0)
    expect(stderr).toContain(advice)
    expect(stderr).not.toContain('    at ')
  })
})

describe('a report', () => {
  it('is closed, and so whole, where an import breaks off', async () => {
    const written: object[] = []
    let isClosed = false
    const report = {
      write: async (row: object) => {
        written.push(row)
      },
      close: async () => {
        isClosed = true
      },
    }
    async function* broken() {
      yield { line: 1, outcome: 'created' as const }
      throw new Error('The database is gone.')
    }
    await expect(countOutcomes(broken(), report)).rejects.toThrow('The database is gone.')
    expect({ written, isClosed }).toEqual({
      written: [{ line: 1, outcome: 'created' }],
      isClosed: true,
    })
  })
})
