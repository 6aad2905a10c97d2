import { createTestDatabase } from '@svc/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApplication, type TestApplication } from '../testing/application.ts'

type TestDatabase = Awaited<ReturnType<typeof createTestDatabase>>

let application: TestApplication
let database: TestDatabase
let env: Record<string, string>

beforeAll(async () => {
  database = await createTestDatabase()
  env = {
    DATABASE_URL: database.url,
    SVC_AUTH_VERIFICATION_TOKEN_SECRET: 'a secret of the tests, long enough for any check',
  }
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
    'none.jsonl': 'no head\n',
  })
})
afterAll(async () => {
  await application.remove()
  await database.drop()
})

const audit = (...args: string[]) => application.svc(['audit', ...args], { env })

// Each of these is a process, and takes seconds on a machine that is busy.
const patience = { timeout: 60_000 }

/** The cases follow one database, in this order. */
describe('svc audit', patience, () => {
  it('could not check a database with pending migrations: 2', async () => {
    expect(await audit('verify')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'This database has pending migrations: run "npx @svc/cli migrate" first.\n',
    })
  })

  it('finds nothing in an empty trail: 0', async () => {
    expect(await application.svc(['migrate'], { env })).toMatchObject({ code: 0 })
    const { code, stdout, stderr } = await audit('verify')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatchInlineSnapshot(`
      "rows that are sealed      0
      rows that wait to be      0
      rows of purged accounts   0
      deleted by retention      0
      signed heads              0

      The trail is as the server wrote it.
      "
    `)
  })

  it('says which row is not as it was: 1', async () => {
    await database.pool.query(`
      insert into svc_auth.audit_events (at, act, outcome, position)
      values ('2030-01-31T12:00:00Z', 'login', 'done', 7)`)
    const { code, stdout } = await audit('verify', '--proofs')
    expect(code).toBe(1)
    expect(stdout).toMatchInlineSnapshot(`
      "✗ inserted   position 7   row 1, login, 2030-01-31T12:00:00.000Z   says that it is sealed, and is not

      rows that are sealed                  0
      rows that wait to be                  0
      rows of purged accounts               0
      deleted by retention                  0
      signed heads                          0
      signed requests checked               0
      signed requests whose key is purged   0

      The trail is not as the server wrote it.
      "
    `)
  })

  it.each([
    ['a line that is no head', ['--heads', 'none.jsonl'], 'Line 1 of the heads'],
    ['an application without accounts', ['--server', 'bare.ts'], 'createAuthLifecycle()'],
  ])('could not check with %s: 2', async (_, args, told) => {
    const { code, stdout, stderr } = await audit('verify', ...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(told)
    expect(stderr).not.toContain('    at ')
  })

  const withoutSecret = (...args: string[]) =>
    application.svc(['audit', ...args], { env: { DATABASE_URL: database.url } })

  it('could not check without a key: 2', async () => {
    const { code, stderr } = await withoutSecret('verify')
    expect(code).toBe(2)
    expect(stderr).toContain('SVC_AUTH_VERIFICATION_TOKEN_SECRET is required')
  })

  it('prints the public key, which is enough for a check', async () => {
    const { code, stdout } = await audit('key')
    expect(code).toBe(0)
    const { kid, x, ...key } = JSON.parse(stdout)
    expect(key).toEqual({ crv: 'Ed25519', kty: 'OKP', alg: 'EdDSA', use: 'sig' })
    await application.write('key.jsonl', stdout)
    const checked = await withoutSecret('verify', '--key', 'key.jsonl', '--json')
    expect({ ...JSON.parse(checked.stdout), code: checked.code }).toMatchObject({
      code: 1,
      found: 1,
      findings: [{ what: 'inserted', position: 7, auditId: '1', act: 'login' }],
    })
  })

  it('exports rows as JSON Lines', async () => {
    await database.pool.query(`
      insert into svc_auth.audit_events (at, act, outcome, target) values
      ('2030-02-01T12:00:00Z', 'key.revoked', 'done', 'key-1'),
      ('2030-02-01T00:00:00Z', 'key.logout', 'done', 'key-1'),
      ('2030-02-02T00:00:00Z', 'key.logout', 'done', 'key-1')`)
    const given = ['--from', '2030-02-01', '--to', '2030-02-02T00:00:00Z', '--target', 'key-1']
    const { code, stdout, stderr } = await audit('export', ...given)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const at = '2030-02-01T12:00:00.000Z'
    const row = { auditId: 2, at, act: 'key.revoked', outcome: 'done', target: 'key-1', times: 1 }
    const lines = stdout.split('\n').map((line) => line && JSON.parse(line))
    expect(lines).toEqual([expect.objectContaining({ act: 'key.logout' }), row, ''])
  })
})
