import { join } from 'node:path'
import { createLogger } from '@svc/core'
import { connectDatabase, migrate } from '@svc/core/database'
import { createTestDatabase } from '@svc/core/testing'
import { afterAll, beforeAll } from 'vitest'
import { createApplication, type TestApplication } from '../testing/application.ts'

type TestDatabase = Awaited<ReturnType<typeof createTestDatabase>>

const person = (name: string, more: object = {}) =>
  JSON.stringify({ id: name, email: `${name}@example.com`, emailVerified: true, ...more })

const hash = '$2b$05$zg636yHxGQYglo/5KJS11OmbExETEcLqHBZfaQ7bOr4ZfCHFmfqeW'

export async function migrated(url: string) {
  const log = createLogger({ level: 'silent' })
  const directory = new URL('../../../auth/migrations/', import.meta.url)
  const connected = await connectDatabase(url, { log })
  await migrate(connected, [{ name: 'svc-auth', directory }], { log })
  await connected.close()
}

// Each of these is a process, and takes seconds on a machine that is busy.
export const patience = { timeout: 60_000 }

/** An application with accounts, and exports to import. */
export function useImporting() {
  let application: TestApplication
  let database: TestDatabase
  let env: { DATABASE_URL: string }

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

  const importing = (...args: string[]) =>
    application.svc(['users', 'import', ...args], { env, from: 'exports' })

  const pathOf = (name: string) => join(application.root, 'exports', name)

  const emails = async () => {
    const { rows } = await database.pool.query('select email from svc_auth.users order by email')
    return rows.map(({ email }) => email)
  }
  return {
    get application() {
      return application
    },
    importing,
    pathOf,
    emails,
  }
}
