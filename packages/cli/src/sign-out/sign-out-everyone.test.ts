import { PassThrough } from 'node:stream'
import { createTestDatabase } from '@svc/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApplication, type TestApplication } from '../testing/application.ts'
import { confirmed } from './confirmed.ts'

type TestDatabase = Awaited<ReturnType<typeof createTestDatabase>>

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
  })
})
afterAll(async () => {
  await application.remove()
  await database.drop()
})

const run = (...args: string[]) => application.svc(['sign-out-everyone', ...args], { env })

async function addAccounts() {
  expect(await application.svc(['migrate'], { env })).toMatchObject({ code: 0 })
  await database.pool.query(`
    insert into svc_auth.roles (role_id, name, display_name, priority)
    values (gen_random_uuid(), 'user', 'User', 10);
    insert into svc_auth.users (user_id, public_id, email, role, created_at)
    select gen_random_uuid(), gen_random_uuid(), n || '@example.com', 'user', now()
    from generate_series(1, 1204) n;
    insert into svc_auth.device_keys (key_id, user_id, state, public_key, fingerprint, algorithm,
      created_at, authenticated_at, expires_at)
    select 'key-of-' || email, user_id, 'active', 'p', email, 'ES256', now(), now(), now()
    from svc_auth.users`)
}

const active = async () => {
  const { rows } = await database.pool.query(
    `select count(*)::int as count from svc_auth.device_keys where state = 'active'`,
  )
  return rows[0]?.count
}

// Each of these is a process, and takes seconds on a machine that is busy.
const patience = { timeout: 60_000 }

/** The cases follow one database, in this order. */
describe('svc sign-out-everyone', patience, () => {
  it('asks for the migrations first, which an older state may lack', async () => {
    expect(await run('--yes')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'This database has pending migrations: run "npx @svc/cli migrate" first.\n',
    })
  })

  it('says what it would do, and does nothing without --yes where there is no terminal', async () => {
    await addAccounts()
    const { code, stdout, stderr } = await run()
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'Nothing has changed. There is no terminal to ask on: add --yes to sign everyone out.\n',
    })
    expect(stdout).toContain('This signs everyone out, on the database ')
    expect(stdout).toContain('every device and program of every account, yours too')
    expect(await active()).toBe(1204)
  })

  it('signs everyone out, and says how many', async () => {
    const { code, stdout, stderr } = await run('--yes')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.slice(stdout.indexOf('Everyone'))).toMatchInlineSnapshot(`
      "Everyone is signed out.

        accounts                     1,204
        devices signed out           1,204
        programs signed out              0
        agents disconnected              0
        mailed links ended               0
        codes ended                      0
        waiting devices refused          0
        sign-ins in progress ended       0
        invitations to send again        0
      "
    `)
    expect(await active()).toBe(0)
  })

  it('refuses an application without accounts', async () => {
    const { code, stderr } = await run('--yes', '--server', 'bare.ts')
    expect(code).toBe(1)
    expect(stderr).toContain('This application has no accounts')
  })
})

describe('the question', () => {
  async function typed(line: string) {
    const input = Object.assign(new PassThrough(), { isTTY: true })
    const output = new PassThrough()
    const answer = confirmed({ isGiven: false, input, output })
    input.end(line)
    return { answer: await answer, asked: String(output.read()) }
  }

  it.each([
    ['sign out everyone\n', true],
    [' Sign out everyone \n', true],
    ['yes\n', false],
    ['\n', false],
    ['', false],
  ])('takes %j for %s', async (line, expected) => {
    const { answer, asked } = await typed(line)
    expect(answer).toBe(expected)
    expect(asked).toContain('Type "sign out everyone" to continue: ')
  })
})
