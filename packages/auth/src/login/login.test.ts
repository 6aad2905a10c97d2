import bcrypt from 'bcrypt'
import { eq, sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { users } from '../accounts/schema.ts'
import { deviceRegisteredEvent, loginEvent } from '../events.ts'
import { machineOf } from '../machine-keys/testing/machines.ts'
import { createTestKey, startTestAuth, type TestKey, testPassword } from '../testing.ts'

const auth = await startTestAuth()
afterAll(auth.stop)
const { db } = auth.auth

async function login(body: object) {
  const { registration } = await createTestKey()
  return auth.call('login', { ...registration, ...body })
}

const set = (userId: string, values: Partial<typeof users.$inferInsert>) =>
  db.update(users).set(values).where(eq(users.userId, userId))

describe('login', () => {
  it('registers the key of the device, which signs from then on (A-146, A-167, A-131)', async () => {
    const { userId, publicId, email, password } = await auth.createUser()
    const key = await createTestKey()
    const answer = await auth.call('login', { email, password, ...key.registration })

    expect(answer).toMatchObject({ status: 200 })
    expect(answer.body).toEqual({
      mfaRequired: false,
      knownBrowser: expect.any(String),
      userId,
      publicId,
      email,
      passwordChangeRequired: false,
    })
    const session = await auth.call('getAuthSession', undefined, key)
    expect(session).toMatchObject({ status: 200, body: { userId, keyId: key.keyId } })
  })

  it('always says whether a second factor is needed (A-165)', async () => {
    const { email, password } = await auth.createUser()
    expect((await login({ email, password })).body.mfaRequired).toBe(false)
  })

  it('takes an address in any form in which it is written', async () => {
    const { email, password } = await auth.createUser()
    expect((await login({ email: ` ${email.toUpperCase()} `, password })).status).toBe(200)
  })

  it('takes a phone number as well', async () => {
    const user = await auth.createUser()
    await set(user.userId, { phone: '+12025550123' })
    const answer = await login({ phone: '+1 (202) 555-0123', password: testPassword })

    expect(answer.body).toMatchObject({ userId: user.userId, phone: '+12025550123' })
  })

  it('answers an unknown address, a wrong password and an account without one alike (A-147)', async () => {
    const known = await auth.createUser()
    const social = await auth.createUser()
    await set(social.userId, { passwordHash: null })
    const suspended = await auth.createUser()
    await set(suspended.userId, { status: 'suspended' })
    const tries = [
      { email: 'nobody@example.com', password: testPassword },
      { email: known.email, password: 'wrong password' },
      { email: known.email, password: 'x'.repeat(300) },
      { email: social.email, password: testPassword },
      { email: suspended.email, password: 'wrong password' },
    ]
    const answers = await Promise.all(tries.map(login))

    const said = answers.map(({ status, headers, body }) => {
      const { requestId: _, ...error } = body.error
      const names = [...headers.keys()].toSorted()
      return JSON.stringify({
        status,
        ...body,
        error,
        names,
        length: headers.get('content-length'),
      })
    })
    expect(new Set(said).size).toBe(1)
    expect(answers[0]).toMatchObject({
      status: 401,
      body: { error: { code: 'InvalidCredentialsError' } },
    })
  })

  it('refuses an unknown address no sooner than a wrong password (A-147)', async () => {
    const slow = await startTestAuth({ env: { SVC_AUTH_BCRYPT_SALT_ROUNDS: '11' } })
    const known = await slow.createUser()
    const social = await slow.createUser()
    const noPassword = { passwordHash: null }
    await slow.auth.db.update(users).set(noPassword).where(eq(users.userId, social.userId))
    const { registration } = await createTestKey()
    const millisOf = async (email: string) => {
      const started = performance.now()
      const body = { ...registration, email, password: 'wrong password' }
      expect((await slow.call('login', body)).status).toBe(401)
      return performance.now() - started
    }
    const emails = [known.email, social.email, 'nobody@example.com']
    const shortest = emails.map(() => Infinity)
    // A path without the hash takes a tenth. How near they are is for a bench to say.
    const areNear = () => Math.min(...shortest) > (shortest[0] ?? 0) / 2
    // The shortest of a few on a machine that does something else may be long.
    for (let times = 0; times < 3 || (times < 20 && !areNear()); times++) {
      for (const [index, email] of emails.entries()) {
        shortest[index] = Math.min(shortest[index] ?? Infinity, await millisOf(email))
      }
    }
    await slow.stop()

    expect(areNear(), shortest.join()).toBe(true)
  })

  it('tells a suspended account and a pending deletion apart after the right password (A-361, A-362)', async () => {
    const codeWith = async (status: 'suspended' | 'pending_deletion') => {
      const { userId, email, password } = await auth.createUser()
      await set(userId, { status })
      const answer = await login({ email, password })
      return [answer.status, answer.body.error.code]
    }
    expect(await codeWith('suspended')).toEqual([403, 'AccountDisabledError'])
    expect(await codeWith('pending_deletion')).toEqual([403, 'AccountPendingDeletionError'])
  })

  it('asks for one identifier and one proof', async () => {
    const { email, password } = await auth.createUser()
    const phone = '+12025550199'
    for (const body of [
      { password },
      { email },
      { email, phone, password },
      { email, password, verificationToken: 'x' },
      { email: 'a@example.com, b@example.com', password },
      { email: { $ne: null }, password },
    ]) {
      expect(await login(body)).toMatchObject({
        status: 400,
        body: { error: { code: 'ValidationError' } },
      })
    }
  })

  it('looks no account up until a verification token holds, so that time tells nothing', async () => {
    const blind = await startTestAuth()
    await blind.auth.db.execute(sql`alter table svc_auth.users rename to gone`)
    const { registration } = await createTestKey()
    const body = { email: 'who@example.com', verificationToken: 'none', ...registration }
    const answer = await blind.call('login', body)
    await blind.stop()

    expect(answer.body.error.code).toBe('InvalidVerificationTokenError')
  })

  it('takes nothing of an account but what it names', async () => {
    const { userId, email, password } = await auth.createUser()
    await login({ email, password, role: 'superadmin', status: 'deleted', userId: 'x' })
    const [row] = await db.select().from(users).where(eq(users.userId, userId))

    expect(row).toMatchObject({ role: 'user', status: 'active' })
  })

  it('brings an imported hash up to what is configured, once its password was right', async () => {
    const { userId, email, password } = await auth.createUser()
    // bcrypt of the plain password, as other systems keep it.
    const imported = await bcrypt.hash(password, 4)
    await set(userId, { passwordHash: imported })
    const stored = async () => {
      const [row] = await db.select().from(users).where(eq(users.userId, userId))
      return row?.passwordHash
    }
    expect((await login({ email, password: 'not it at all' })).status).toBe(401)
    expect(await stored()).toBe(imported)
    expect((await login({ email, password })).status).toBe(200)
    await expect.poll(stored).toMatch(/^svc1\$\$2b\$04\$/)
    expect((await login({ email, password })).status).toBe(200)
  })

  it('tells who signed in, with which key, after the commit (A-348)', async () => {
    const { userId, email, password } = await auth.createUser()
    const key = await createTestKey()
    const told: object[] = []
    const subscriptions = [loginEvent, deviceRegisteredEvent].map((event) =>
      event.subscribe((payload) => told.push(payload)),
    )
    await auth.call('login', { email, password, ...key.registration, platform: 'web' })
    await auth.call('login', { email, password: 'wrong password', ...key.registration })
    for (const unsubscribe of subscriptions) unsubscribe()

    expect(told).toEqual([
      {
        userId,
        keyId: key.keyId,
        algorithm: 'ES256',
        fingerprintPrefix: key.registration.fingerprint.slice(0, 8),
        platform: 'web',
        ip: '127.0.0.1',
        userAgent: 'node',
        createdAtMillis: auth.clock.now().getTime(),
        channel: 'login',
      },
      { userId, keyId: key.keyId, provider: 'email', email, mfa: 'none' },
    ])
  })
})

describe('events', () => {
  it('are subscribed to in the process, and a handler that fails stops no other (A-350)', async () => {
    const told: string[] = []
    const ends = [
      loginEvent.subscribe(() => {
        throw new Error('a handler of the application')
      }),
      loginEvent.subscribe(({ userId }) => told.push(userId)),
    ]
    const { userId, ...user } = await auth.createUser()
    await auth.signIn(user)
    for (const end of ends) end()
    await auth.signIn(user)

    expect(told).toEqual([userId])
  })
})

describe('limits', () => {
  it('refuse the eleventh sign-in of a minute with 429 and when to come again (A-368, A-373)', async () => {
    const limited = await startTestAuth({ env: { SVC_RATE_LIMIT: 'on' } })
    const user = await limited.signedInUser()
    const { email, password } = user
    const machine = await machineOf(limited, user)
    limited.clock.advance('1m')
    const attempt = async (given: string, key?: TestKey) => {
      const { registration } = key ?? (await createTestKey())
      return limited.call('login', { email, password: given, ...registration })
    }
    for (let count = 0; count < 9; count++) await attempt('wrong password')
    // It is no device that its owner would be locked out of.
    await attempt('wrong password', machine)
    const refused = await attempt(password)
    limited.clock.advance('1m')
    const again = await attempt(password)
    await limited.stop()

    expect(refused).toMatchObject({
      status: 429,
      body: { retryAfter: 60, error: { code: 'TooManyRequestsError' } },
    })
    expect(refused.headers.get('retry-after')).toBe('60')
    expect(again.status).toBe(200)
  })
})

describe('logout', () => {
  it('revokes the key that signed it, and the next request with it is refused (A-148)', async () => {
    const { key } = await auth.signedInUser()
    const answer = await auth.call('logout', undefined, key)

    expect([answer.status, answer.body]).toEqual([204, undefined])
    expect(await auth.call('getAuthSession', undefined, key)).toMatchObject({
      status: 401,
      body: { error: { code: 'UnauthorizedError' } },
    })
  })
})
