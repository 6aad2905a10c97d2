import { createLogger } from '@svc/core'
import { connectDatabase, migrate } from '@svc/core/database'
import { createTestDatabase } from '@svc/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApplication, type TestApplication } from '../testing/application.ts'

let application: TestApplication
let database: Awaited<ReturnType<typeof createTestDatabase>>

const server = (capabilities: string) => `import { createAuthLifecycle } from '@svc/auth/server'
import { defineServer } from '@svc/core'
import { organizations } from '@svc/organizations/server'

export default defineServer().lifecycle(createAuthLifecycle({ capabilities: [${capabilities}] }))
`

const row = (user: string, role: string) =>
  JSON.stringify({ organization: 'acme', name: 'Acme', user, role })

beforeAll(async () => {
  database = await createTestDatabase()
  application = await createApplication({
    'package.json': '{ "name": "board", "type": "module" }',
    'server.ts': server('organizations()'),
    'without.ts': server(''),
    'users.jsonl': JSON.stringify({ id: 'ada', email: 'ada@example.com' }),
    'organizations.jsonl': [row('ada', 'boss'), row('bob', 'member'), '{"cut'].join('\n'),
  })
  const log = createLogger({ level: 'silent' })
  const connected = await connectDatabase(database.url, { log })
  const directory = (name: string) => new URL(`../../../${name}/migrations/`, import.meta.url)
  const sources = [
    { name: 'svc-auth', directory: directory('auth') },
    { name: 'organizations', directory: directory('organizations') },
  ]
  await migrate(connected, sources, { log })
  await connected.close()
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

const svc = (...args: string[]) => application.svc(args, { env: { DATABASE_URL: database.url } })
const importing = (...args: string[]) =>
  svc('organizations', 'import', 'organizations.jsonl', ...args)

// Each of these is a process, and takes seconds on a machine that is busy.
const patience = { timeout: 60_000 }

describe('svc organizations import', patience, () => {
  it('adds the imported users to their organizations, and says which rows it has refused', async () => {
    expect((await svc('users', 'import', 'users.jsonl')).code).toBe(0)
    const given = ['--roles', 'boss=owner', '--report', 'report.jsonl']
    const { code, stdout, stderr } = await importing(...given)
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(stdout).toMatchInlineSnapshot(`
      "created           2 (1 organization, 1 member)
      existed already   0
      refused           2

      user_unknown: 1
        no account was imported with this id, and none has proved this address: import the users first
        line 2

      unreadable: 1
        the record cannot be read: check that the file has the form that --from expects, and that no line is cut off
        line 3

      result of each row: report.jsonl
      "
    `)
    const report = (await application.read('report.jsonl')).trim().split('\n')
    expect(report.map((line) => JSON.parse(line))).toMatchObject([
      { line: 1, kind: 'organization', outcome: 'created' },
      { line: 1, kind: 'member', outcome: 'created', externalId: 'ada' },
      { line: 2, kind: 'member', outcome: 'refused', reason: 'user_unknown', externalId: 'bob' },
      { line: 3, outcome: 'refused', reason: 'unreadable' },
    ])
    const { rows } = await database.pool.query(
      `select o.name, m.roles, u.email from organizations.organizations o
       join organizations.members m using (organization_id) join svc_auth.users u using (user_id)`,
    )
    expect(rows).toEqual([{ name: 'Acme', roles: ['owner'], email: 'ada@example.com' }])
  })

  it.each([
    ['an application without organizations', ['--server', 'without.ts'], 'organizations()'],
    ['roles that are no pairs', ['--roles', 'boss'], 'editor=admin,viewer=member'],
  ])('says what to do about %s', async (_, args, advice) => {
    const { code, stderr } = await importing(...args)
    expect(code).toBeGreaterThan(0)
    expect(stderr).toContain(advice)
    expect(stderr).not.toContain('    at ')
  })
})
