import { defineRouter, defineServer, EnvironmentError } from '@svc/core'
import { createTestDatabase, startTestServer } from '@svc/core/testing'
import { asc, eq, sql } from 'drizzle-orm'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { roles, users } from '../accounts/schema.ts'
import { auditEvents } from '../audit/schema.ts'
import { createAuthLifecycle } from '../lifecycle.ts'
import { authRouter } from '../router.ts'
import { startTestAuth, type TestAuth } from '../testing.ts'
import { readAdminAccounts } from './admin-seed.ts'

const password = 'correct horse battery'

describe('readAdminAccounts', () => {
  const problemsOf = (source: Record<string, string>) => {
    try {
      readAdminAccounts(source)
      return []
    } catch (error) {
      return (error as EnvironmentError).problems
    }
  }
  const json = (...accounts: unknown[]) => ({ SVC_AUTH_ADMIN_ACCOUNTS: JSON.stringify(accounts) })

  it('takes the accounts of the first source alone (A-067)', () => {
    const source = {
      SVC_AUTH_ADMIN_ACCOUNTS: JSON.stringify([{ email: 'json@example.com', password }]),
      SVC_AUTH_ADMIN_EMAILS: 'list@example.com',
      SVC_AUTH_ADMIN_PASSWORDS: password,
      SVC_AUTH_ADMIN_EMAIL: 'single@example.com',
      SVC_AUTH_ADMIN_PASSWORD: password,
    }
    const emailsOf = (given: Record<string, string>) =>
      readAdminAccounts(given).map(({ email }) => email)
    expect(emailsOf(source)).toEqual(['json@example.com'])
    expect(emailsOf({ ...source, SVC_AUTH_ADMIN_ACCOUNTS: '' })).toEqual(['list@example.com'])
    const { SVC_AUTH_ADMIN_EMAIL, SVC_AUTH_ADMIN_PASSWORD } = source
    expect(emailsOf({ SVC_AUTH_ADMIN_EMAIL, SVC_AUTH_ADMIN_PASSWORD })).toEqual([
      'single@example.com',
    ])
    expect(emailsOf({})).toEqual([])
  })

  it('reads JSON: a user unless a role is named, who has to change the password unless it says not (A-068, A-072)', () => {
    const phone = '+1 202 555 0123'
    const accounts = readAdminAccounts(
      json(
        { email: ' One@Example.com', password },
        { email: 'two@example.com', password, role: 'admin', phone, passwordChangeRequired: false },
      ),
    )
    expect(accounts).toEqual([
      {
        email: 'one@example.com',
        phone: null,
        password,
        role: 'user',
        passwordChangeRequired: true,
      },
      {
        email: 'two@example.com',
        phone: '+12025550123',
        password,
        role: 'admin',
        passwordChangeRequired: false,
      },
    ])
  })

  it('matches lists by position (A-069)', () => {
    const accounts = readAdminAccounts({
      SVC_AUTH_ADMIN_EMAILS: 'one@example.com, two@example.com',
      SVC_AUTH_ADMIN_PASSWORDS: 'the first password,the second password',
      SVC_AUTH_ADMIN_ROLES: 'admin,superadmin',
    })
    expect(accounts).toMatchObject([
      { email: 'one@example.com', password: 'the first password', role: 'admin' },
      { email: 'two@example.com', password: 'the second password', role: 'superadmin' },
    ])
  })

  it('refuses lists of different length (A-073)', () => {
    const lists = {
      SVC_AUTH_ADMIN_EMAILS: 'one@example.com,two@example.com',
      SVC_AUTH_ADMIN_PASSWORDS: `${password},${password}`,
      SVC_AUTH_ADMIN_ROLES: 'admin,user',
    }
    expect(problemsOf(lists)).toEqual([])
    for (const name of Object.keys(lists)) {
      const shorter = { ...lists, [name]: 'one@example.com' }
      const longer = { ...lists, [name]: 'a,b,' }
      expect(problemsOf(shorter)).toEqual([expect.stringContaining('of the same length')])
      expect(problemsOf(longer)).toEqual([expect.stringContaining('of the same length')])
    }
    expect(problemsOf({ SVC_AUTH_ADMIN_ROLES: 'admin,user' })).toHaveLength(1)
  })

  it('makes a single account a superadmin (A-070)', () => {
    const source = { SVC_AUTH_ADMIN_EMAIL: 'root@example.com', SVC_AUTH_ADMIN_PASSWORD: password }
    expect(readAdminAccounts({ ...source, SVC_AUTH_ADMIN_ROLES: '' })).toMatchObject([
      { email: 'root@example.com', role: 'superadmin', passwordChangeRequired: true },
    ])
    expect(problemsOf({ SVC_AUTH_ADMIN_EMAIL: 'root@example.com' })).toEqual([
      'SVC_AUTH_ADMIN_PASSWORD must have at least 8 characters',
    ])
  })

  it('refuses what is no array of accounts (A-073)', () => {
    for (const text of ['{', 'null', '{}', '"x"', '[1]', '[[]]', '[{"email":"a","email":"b"}]']) {
      expect(problemsOf({ SVC_AUTH_ADMIN_ACCOUNTS: text })).toEqual([
        'SVC_AUTH_ADMIN_ACCOUNTS must be a JSON array of accounts',
      ])
    }
  })

  it('names every problem at once, and no value', () => {
    const problems = problemsOf(
      json(
        { email: 'hunter2', password: 'hunter2', role: 'hunter2', phone: 'hunter2' },
        { email: 'one@example.com', password, passwordChangeRequired: 'hunter2', hunter2: 1 },
        { email: 'ONE@example.com', password: 12345678 },
      ),
    )
    expect(problems).toEqual([
      'SVC_AUTH_ADMIN_ACCOUNTS[0].email must be an email address',
      'SVC_AUTH_ADMIN_ACCOUNTS[0].phone must be a phone number such as +12025550123',
      'SVC_AUTH_ADMIN_ACCOUNTS[0].password must have at least 8 characters',
      'SVC_AUTH_ADMIN_ACCOUNTS[0].role must be one of: user, admin, superadmin',
      'SVC_AUTH_ADMIN_ACCOUNTS[1].passwordChangeRequired must be true or false',
      'SVC_AUTH_ADMIN_ACCOUNTS[1].* must be one of: email, phone, password, role, passwordChangeRequired',
      'SVC_AUTH_ADMIN_ACCOUNTS[2].password must have at least 8 characters',
      'SVC_AUTH_ADMIN_ACCOUNTS and SVC_AUTH_ADMIN_EMAILS must name an email address once',
    ])
    expect(problems.join()).not.toContain('hunter2')
  })

  it('refuses a password that is easy to guess in production', () => {
    const source = json({ email: 'one@example.com', password: 'password123' })
    expect(problemsOf(source)).toEqual([])
    expect(problemsOf({ ...source, NODE_ENV: 'production' })).toEqual([
      'SVC_AUTH_ADMIN_ACCOUNTS[0].password is too easy to guess',
    ])
  })
})

const root = { email: 'root@example.com', password: 'the password of root', role: 'superadmin' }
const second = {
  email: 'second@example.com',
  password: 'the password of the second',
  role: 'admin',
  passwordChangeRequired: false,
}
const source = { SVC_AUTH_ADMIN_ACCOUNTS: JSON.stringify([root, second]) }

const definition = defineServer()
  .routes(defineRouter({}).packages([authRouter]))
  .lifecycle(createAuthLifecycle())

async function startSeeded(env: Record<string, string> = source) {
  const auth = await startTestAuth({ definition, env })
  onTestFinished(() => auth.stop())
  return auth
}

const accountsOf = ({ auth: { db } }: TestAuth) => db.select().from(users).orderBy(asc(users.email))

const urlOf = ({ infrastructure }: TestAuth) => infrastructure.database?.url

/** One more instance, on a database that is there. */
async function startInstance(
  DATABASE_URL: string | undefined,
  env: Record<string, string> = source,
) {
  const secret = 'a secret of the tests, long enough for any check'
  const server = await startTestServer(definition, {
    env: {
      SVC_AUTH_VERIFICATION_TOKEN_SECRET: secret,
      SVC_AUTH_BCRYPT_SALT_ROUNDS: '4',
      SVC_MAIL_URL: 'none',
      SVC_SMS_URL: 'none',
      ...env,
      DATABASE_URL,
    },
  })
  onTestFinished(() => server.stop())
  return server
}

describe('a server that starts', () => {
  it('opens the accounts: active, with a proven address and a password to change (A-071, A-072)', async () => {
    const auth = await startSeeded()
    const seeded = { emailVerifiedAt: auth.clock.now(), status: 'active' }
    expect(await accountsOf(auth)).toMatchObject([
      { ...seeded, email: root.email, role: 'superadmin', passwordChangeRequired: true },
      { ...seeded, email: second.email, role: 'admin', passwordChangeRequired: false },
    ])
    const key = await auth.signIn(root)
    const session = await auth.call('getAuthSession', undefined, key)
    expect(session.body).toMatchObject({
      emailVerified: true,
      passwordChangeRequired: true,
      role: { name: 'superadmin', priority: 100 },
    })
  })

  it('opens the single account as a superadmin (A-070)', async () => {
    const auth = await startSeeded({
      SVC_AUTH_ADMIN_EMAIL: root.email,
      SVC_AUTH_ADMIN_PASSWORD: root.password,
    })
    expect(await accountsOf(auth)).toMatchObject([{ email: root.email, role: 'superadmin' }])
    await auth.signIn(root)
  })

  it('leaves an account that is there as it is (A-073)', async () => {
    const auth = await startSeeded()
    const body = { currentPassword: root.password, newPassword: 'a password of my own choice' }
    const changed = await auth.call('changePassword', body, await auth.signIn(root))
    expect(changed.status).toBe(204)
    const before = await accountsOf(auth)
    await auth.secondInstance()
    expect(await accountsOf(auth)).toEqual(before)
    await auth.signIn({ ...root, password: body.newPassword })
  })

  it('does not promote an account that a user has opened under the address', async () => {
    const auth = await startSeeded({})
    const user = await auth.createUser({ email: root.email })
    await startInstance(urlOf(auth))
    const session = await auth.call('getAuthSession', undefined, await auth.signIn(user))
    expect(session.body.role.name).toBe('user')
    expect(await accountsOf(auth)).toHaveLength(2)
  })

  it('says so when it cannot open an account', async () => {
    const auth = await startSeeded({})
    const phone = '+12025550123'
    const { userId } = await auth.createUser()
    await auth.auth.db.update(users).set({ phone }).where(eq(users.userId, userId))
    const accounts = JSON.stringify([{ ...root, phone }])
    const { logged } = await startInstance(urlOf(auth), {
      SVC_AUTH_ADMIN_ACCOUNTS: accounts,
    })
    expect(await accountsOf(auth)).toHaveLength(1)
    const warning = { msg: expect.stringContaining('was not opened') }
    expect(logged).toContainEqual(expect.objectContaining(warning))
  })

  it('says how to open the first superadmin while there is none', async () => {
    const hint = { level: 'info', msg: expect.stringContaining('set SVC_AUTH_ADMIN_EMAIL') }
    const without = await startSeeded({ SVC_AUTH_ADMIN_ACCOUNTS: JSON.stringify([second]) })
    expect(without.logged).toContainEqual(expect.objectContaining(hint))
    expect((await startSeeded()).logged).not.toContainEqual(expect.objectContaining(hint))
  })

  it('never logs a password', async () => {
    const auth = await startSeeded()
    const other = await startInstance(urlOf(auth))
    const log = JSON.stringify([...auth.logged, ...other.logged])
    expect(log).not.toBe('[]')
    for (const { password: secret } of [root, second]) expect(log).not.toContain(secret)
  })

  it('refuses what is wrong before it connects, without a word of it', async () => {
    const nowhere = 'postgres://nobody@127.0.0.1:1/none'
    const refusal: unknown = await startInstance(nowhere, {
      SVC_AUTH_ADMIN_ACCOUNTS: '[{ "email": "x", "password": "hunter2" }]',
    }).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(EnvironmentError)
    expect(String(refusal)).toContain('SVC_AUTH_ADMIN_ACCOUNTS[0].email')
    expect(String(refusal)).not.toContain('hunter2')
  })

  it('R29: is one of eight that start at once on an empty database: everything is there once', async () => {
    const database = await createTestDatabase()
    onTestFinished(() => database.drop())
    const { db } = database
    const servers = await Promise.all(Array.from({ length: 8 }, () => startInstance(database.url)))
    // The first look at a database opens a connection, and gives up after 800 ms. Eight of them share this process.
    await vi.waitFor(async () => {
      const health = await Promise.all(servers.map((server) => server.fetch('/_core/health/ready')))
      expect(health.map(({ status }) => status)).toEqual(servers.map(() => 200))
    }, 10_000)

    const seeded = await db.select({ email: users.email }).from(users).orderBy(asc(users.email))
    expect(seeded).toEqual([{ email: root.email }, { email: second.email }])
    const act = eq(auditEvents.act, 'account.seeded')
    expect(await db.$count(auditEvents, act)).toBe(2)
    expect(await db.$count(roles)).toBe(3)
    const { rows } = await db.execute(sql`
      select count(*)::int as files, count(distinct (source, name))::int as names
      from svc.migrations`)
    expect(rows[0]?.files).toBe(rows[0]?.names)
    const grown = servers.flatMap(({ logged }) =>
      logged.filter(({ migration }) => migration !== undefined),
    )
    expect(grown).toHaveLength(Number(rows[0]?.files))
    expect(
      servers.flatMap(({ logged }) => logged.filter(({ level }) => Number(level) >= 50)),
    ).toEqual([])
  })
})
