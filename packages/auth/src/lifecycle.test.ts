import { defineRouter, defineServer, type EnvironmentSource } from '@svc/core'
import { is, sql } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { afterAll, describe, expect, it } from 'vitest'
import { users } from './accounts/schema.ts'
import { authOf, heldOf } from './auth.ts'
import { deviceAuthContract } from './device/contract.ts'
import type { DeviceHeld } from './device/device-held.ts'
import { createAuthLifecycle } from './lifecycle.ts'
import { hasPermission } from './roles/roles.ts'
import { authRouter } from './router.ts'
import { schema } from './schema.ts'
import { createTestKey, startTestAuth } from './testing.ts'

const secret = 'a secret of the tests, long enough for any check'
const metricsToken = '7d20e9b4c15f83a6d80b42f7e6391ca5'
const admin = {
  SVC_AUTH_ADMIN_EMAIL: 'root@example.com',
  SVC_AUTH_ADMIN_PASSWORD: 'a good long one',
}

const ofDevices = { ttlMs: 60_000, intervalMs: 1_000 }

const auth = await startTestAuth({
  env: { ...admin, SVC_OPS_METRICS_TOKEN: metricsToken },
  options: {
    roles: [{ name: 'clerk', displayName: 'Clerk', priority: 20 }],
    permissions: [{ name: 'order:read', displayName: 'Read orders', category: 'orders' }],
    rolePermissions: { clerk: ['order:read'] },
    deviceAuth: ofDevices,
  },
})
afterAll(auth.stop)

/** Starts on a database that is not there: what is refused before is refused by the environment. */
async function problemsOf(env: EnvironmentSource, options = {}): Promise<readonly string[]> {
  const { startServer, createLogger } = await import('@svc/core')
  const definition = defineServer()
    .routes(defineRouter({}).packages([authRouter]))
    .lifecycle(createAuthLifecycle(options))
  const DATABASE_URL = 'postgres://nobody@localhost:1/none'
  const log = createLogger({ level: 'silent' })
  const failure = await startServer(definition, { env: { DATABASE_URL, ...env }, log }).catch(
    (error: unknown) => error,
  )
  return (failure as { problems?: readonly string[] }).problems ?? [String(failure)]
}

describe('createAuthLifecycle', () => {
  it('refuses an environment that is not right before the database connects (A-012)', async () => {
    expect(await problemsOf({})).toContain('SVC_AUTH_VERIFICATION_TOKEN_SECRET is required')
    const env = { SVC_AUTH_VERIFICATION_TOKEN_SECRET: secret }
    expect(await problemsOf({ ...env, SVC_AUTH_BCRYPT_SALT_ROUNDS: '3' })).toEqual([
      'SVC_AUTH_BCRYPT_SALT_ROUNDS must be a whole number from 4 to 16',
    ])
    // The very database, once everything else is right.
    expect((await problemsOf(env))[0]).toContain('localhost:1')
  })

  it('reports the problems of all its readers at once, and no value', async () => {
    const problems = await problemsOf({
      SVC_AUTH_BCRYPT_SALT_ROUNDS: 'hunter2',
      SVC_MAIL_URL: 'pigeon:hunter2',
      SVC_AUTH_ADMIN_ACCOUNTS: '[hunter2',
    })
    const text = problems.join('\n')
    expect(text).toContain('SVC_AUTH_VERIFICATION_TOKEN_SECRET')
    expect(text).toContain('SVC_AUTH_BCRYPT_SALT_ROUNDS')
    expect(text).toContain('SVC_MAIL_URL')
    expect(text).toContain('SVC_AUTH_ADMIN_ACCOUNTS')
    expect(text).not.toContain('hunter2')
  })

  it('seeds administrators and roles once the database is ready (A-013)', async () => {
    const [seeded] = await auth.auth.db.select().from(users)
    expect(seeded).toMatchObject({ email: 'root@example.com', role: 'superadmin' })
    const root = await auth.signIn({ email: 'root@example.com', password: 'a good long one' })
    const { body } = await auth.call('listRoles', undefined, root)
    expect(body.roles.map(({ name }: { name: string }) => name).toSorted()).toEqual([
      'admin',
      'clerk',
      'superadmin',
      'user',
    ])
  })

  it('takes roles, permissions and device login of the application (A-014)', async () => {
    const clerk = await auth.signedInUser({ role: 'clerk' })
    expect(await hasPermission(clerk.userId, 'order:read')).toBe(true)
    const { deviceAuth: device } = heldOf(
      auth.server.infrastructure,
      deviceAuthContract,
    ) as DeviceHeld
    expect(device).toEqual({ ttlMs: 60_000, intervalMs: 1_000 })
    const env = { SVC_AUTH_VERIFICATION_TOKEN_SECRET: secret }
    for (const deviceAuth of [{ ttlMs: 0 }, { intervalMs: -1 }, { ttlMs: 1.5 }]) {
      const [problem] = await problemsOf(env, { deviceAuth })
      expect(problem).toMatch(
        /^createAuthLifecycle\(\{ deviceAuth: \{ (?:ttlMs|intervalMs) \} \}\)/,
      )
    }
  })

  it('says in the start answer what it was told of device login, once for all calls (A-199, A-200)', async () => {
    const { registration } = await createTestKey()
    const { body } = await auth.call('startDeviceAuth', registration)
    const now = auth.clock.now().getTime()
    expect(body).toMatchObject({ expiresAtMillis: now + 60_000, intervalMillis: 1_000 })
    const { deviceCode } = body
    const poll = () => auth.call('pollDeviceAuth', { deviceCode })
    expect((await poll()).body).toEqual({ status: 'pending', intervalMillis: 1_000 })
    auth.clock.advance(999)
    expect((await poll()).status).toBe(429)
    auth.clock.advance(1)
    expect((await poll()).status).toBe(200)
    // What the application does to its own object meanwhile changes nothing.
    Object.assign(ofDevices, { ttlMs: 1, intervalMs: 1 })
    const again = await auth.call('startDeviceAuth', (await createTestKey()).registration)
    expect(again.body).toMatchObject({ expiresAtMillis: now + 61_000, intervalMillis: 1_000 })
    auth.clock.advance(58_999)
    expect((await poll()).status).toBe(200)
    auth.clock.advance(1)
    expect((await poll()).status).toBe(400)
  })

  it('has migrations that make every operation work on a fresh database (A-015)', async () => {
    // This whole file, and every other, runs on a database that only the migrations have touched.
    const status = auth.server.infrastructure.migrations
    expect(status).toMatchObject({ pending: 0 })
    expect(status?.applied).toBeGreaterThan(0)
  })

  it('has migrations that make every column as the schema declares it (A-015)', async () => {
    const { rows } = await auth.auth.db.execute<{ column: string }>(sql`
      select table_name || '.' || column_name || ' ' || (is_nullable = 'NO') as column
      from information_schema.columns where table_schema = 'svc_auth'`)
    const made = rows.map(({ column }) => column)
    const declared = Object.values(schema)
      .filter((each) => is(each, PgTable))
      .map((table) => getTableConfig(table))
      .flatMap(({ name, columns }) =>
        columns.map((column) => `${name}.${column.name} ${column.notNull}`),
      )
    expect(made.toSorted()).toEqual(declared.toSorted())
  })
})

describe('stopping', () => {
  it('refuses callers who wait for their turn to hash, and lets the others finish', async () => {
    const stopping = await startTestAuth()
    const { passwords } = stopping.auth
    const held = Promise.withResolvers<void>()
    const turns = Array.from({ length: passwords.turns }, () =>
      passwords.withPlace({ address: null }, () => held.promise).catch(() => {}),
    )
    const { registration } = await createTestKey()
    const body = { email: 'ada@example.com', password: 'a password', ...registration }
    const login = stopping.call('login', body)
    await expect.poll(() => passwords.placesTaken).toBe(passwords.turns + 1)
    const stopped = stopping.stop()

    expect(await login).toMatchObject({ status: 503, body: { retryAfter: 5 } })
    expect((await login).body).not.toHaveProperty('place')
    held.resolve()
    await Promise.all([stopped, ...turns])
  })

  it('signs in a user who comes before the port closes and need not wait (F27)', async () => {
    const stopping = await startTestAuth()
    const { passwords } = stopping.auth
    passwords.endWaiting()
    expect(await passwords.verify('a password', null)).toBe(false)
    const user = await stopping.createUser()
    expect(await stopping.signIn(user)).toBeDefined()
    await stopping.stop()
  })
})

describe('metrics', () => {
  async function lines() {
    const headers = { authorization: `Bearer ${metricsToken}` }
    const text = await (await auth.server.fetch('/_ops/metrics', { headers })).text()
    return text.split('\n')
  }

  it('tell how many passwords are being hashed', async () => {
    const { passwords } = authOf(auth.server.infrastructure)
    const held = Promise.withResolvers<void>()
    const hashing = passwords.withPlace({ address: null }, () => held.promise)
    expect(await lines()).toContain('svc_auth_hashes 1')
    held.resolve()
    await hashing
    expect(await lines()).toContain('svc_auth_hashes 0')
  })

  it('tell refused sign-ins by their code, and nothing of their users', async () => {
    const key = await createTestKey()
    await auth.call('login', {
      email: 'mallory@example.com',
      password: 'not hers',
      ...key.registration,
    })
    const found = (await lines()).filter((line) => line.includes('"/_auth/login"'))
    expect(found.join('\n')).toContain('code="InvalidCredentialsError"')
    expect((await lines()).join('\n')).not.toMatch(/mallory|@/)
  })
})
