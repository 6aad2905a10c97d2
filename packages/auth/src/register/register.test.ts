import { eq } from 'drizzle-orm'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { users } from '../accounts/schema.ts'
import { auditEvents } from '../audit/schema.ts'
import { configureAuth, type RegistrationContext } from '../configure-auth.ts'
import { deviceRegisteredEvent, registerEvent } from '../events.ts'
import { refused } from '../test-answers.ts'
import { createTestKey, startTestAuth, type TestKey, testPassword } from '../testing.ts'
import { RegistrationRejectedError } from './errors.ts'

const auth = await startTestAuth()
afterAll(() => auth.stop())
// What an application configures is of the whole process.
afterEach(() => configureAuth({ beforeRegister: () => {} }))

let people = 0
const newAddress = () => `newcomer-${(people += 1)}@example.com`
const proofOf = (address: string) => auth.verificationToken(address, 'registration')
const accountsAt = (email: string) =>
  auth.auth.db.select().from(users).where(eq(users.email, email))

interface Form {
  verificationToken: string
  key?: TestKey
  [field: string]: unknown
}

async function register({ key, ...fields }: Form) {
  const { registration } = key ?? (await createTestKey())
  return auth.call('register', { password: testPassword, ...registration, ...fields })
}

describe('register', () => {
  it('opens an account for a proven address, and signs in (A-131, A-144, A-145)', async () => {
    const address = newAddress()
    const key = await createTestKey()
    const answer = await auth.fetch('/_auth/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        email: ` ${address.toUpperCase()}`,
        verificationToken: await proofOf(address),
        password: testPassword,
        ...key.registration,
        deviceName: 'Ada’s phone',
        platform: 'ios',
      }),
    })
    expect(answer.status).toBe(200)
    const body = (await answer.json()) as { userId: string; publicId: string }
    const { userId, publicId } = body
    const knownBrowser = expect.any(String)
    expect(body).toEqual({ userId, publicId, email: address, knownBrowser })
    expect(userId).not.toBe(publicId)
    expect(await auth.call('getAuthSession', undefined, key)).toMatchObject({
      status: 200,
      body: {
        userId,
        email: address,
        emailVerified: true,
        phoneVerified: false,
        hasPassword: true,
      },
    })
    expect(await auth.keysOf(userId)).toMatchObject([
      { keyId: key.keyId, state: 'active', deviceName: 'Ada’s phone', platform: 'ios' },
    ])
  })

  it('is the first sign-in of its account', async () => {
    const address = newAddress()
    await register({ email: address, verificationToken: await proofOf(address) })
    const [row] = await auth.auth.db.select().from(users).where(eq(users.email, address))
    expect(row?.lastLoginAt).toEqual(auth.clock.now())
  })

  it('opens an account for a proven number', async () => {
    const key = await createTestKey()
    const verificationToken = await proofOf('+12025550199')
    const answer = await register({ phone: '+1 202 555 0199', verificationToken, key })
    expect(answer).toMatchObject({ status: 200, body: { phone: '+12025550199' } })
    expect(answer.body).not.toHaveProperty('email')
    expect(await auth.call('getAuthSession', undefined, key)).toMatchObject({
      body: { phone: '+12025550199', phoneVerified: true, emailVerified: false },
    })
  })

  it('sets a password that signs in afterwards, and a locale', async () => {
    const email = newAddress()
    const { registration } = await createTestKey()
    const form = { email, verificationToken: await proofOf(email), password: testPassword }
    await auth.call('register', { ...form, ...registration }, undefined, {
      headers: { 'accept-language': 'ko-KR,ko;q=0.9' },
    })
    const key = await auth.signIn({ email, password: testPassword })
    expect(await auth.call('getAuthSession', undefined, key)).toMatchObject({
      body: { locale: 'ko-KR', role: { name: 'user' }, status: 'active' },
    })
  })

  it('tells of the account and of its key once both are committed', async () => {
    const email = newAddress()
    const told: unknown[] = []
    const leave = registerEvent.subscribe(async (payload) => {
      told.push(payload, await accountsAt(email))
    })
    const registered = vi.fn<(payload: { channel: string }) => void>()
    const stop = deviceRegisteredEvent.subscribe(registered)
    const metadata = { campaign: 'spring', nested: { yes: true } }
    const { body } = await register({ email, verificationToken: await proofOf(email), metadata })
    leave()
    stop()
    const { userId } = body
    expect(told).toEqual([
      { userId, provider: 'email', email, metadata },
      [expect.objectContaining({ userId })],
    ])
    expect(registered).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ userId, channel: 'register' }),
    )
    expect(await auth.keysOf(userId)).toMatchObject([{ signedInBy: 'password' }])
    const trail = auth.auth.db.select().from(auditEvents).where(eq(auditEvents.actor, userId))
    expect(await trail).toMatchObject([{ act: 'register', outcome: 'done', address: '127.0.0.1' }])
  })

  it('gives no more than a new user has, even if more was sent', async () => {
    const email = newAddress()
    const answer = await register({
      email,
      verificationToken: await proofOf(email),
      metadata: { role: 'superadmin', status: 'suspended', username: 'root' },
      role: 'superadmin',
      roles: ['superadmin'],
      permissions: ['*'],
      status: 'deleted',
      userId: '00000000-0000-4000-8000-000000000000',
      publicId: '00000000-0000-4000-8000-000000000000',
      username: 'root',
      phoneVerifiedAt: '2020-01-01',
      generation: 9,
      passwordHash: 'none',
      passwordChangeRequired: true,
      createdAt: '2020-01-01',
    })
    expect(answer.status).toBe(200)
    expect(answer.body.userId).not.toMatch(/^0{8}/)
    expect(await accountsAt(email)).toMatchObject([
      {
        role: 'user',
        status: 'active',
        username: null,
        phoneVerifiedAt: null,
        generation: 0,
        passwordChangeRequired: false,
        createdAt: auth.clock.now(),
      },
    ])
  })
})

describe('a registration is refused', () => {
  it('when the address has an account, which only a caller who has proved it learns', async () => {
    const { email } = await auth.createUser()
    expect(await register({ email, verificationToken: 'not a token' })).toMatchObject(
      refused(400, 'InvalidVerificationTokenError'),
    )
    const verificationToken = await proofOf(email)
    expect(await register({ email, verificationToken })).toMatchObject(
      refused(409, 'AccountAlreadyExistsError'),
    )
    expect(await accountsAt(email)).toHaveLength(1)
  })

  it('with a token for another address or another purpose', async () => {
    const [mine, theirs] = [newAddress(), newAddress()]
    expect(await register({ email: theirs, verificationToken: await proofOf(mine) })).toMatchObject(
      refused(400, 'VerificationTokenTargetMismatchError'),
    )
    const login = await auth.verificationToken(theirs, 'login')
    expect(await register({ email: theirs, verificationToken: login })).toMatchObject(
      refused(400, 'VerificationTokenPurposeMismatchError'),
    )
    expect(await accountsAt(theirs)).toHaveLength(0)
  })

  it('with a weak password, and the token stays good (A-333)', async () => {
    const email = newAddress()
    const verificationToken = await proofOf(email)
    for (const password of ['short', 'password1234', email]) {
      expect(await register({ email, verificationToken, password })).toMatchObject(
        refused(400, 'WeakPasswordError'),
      )
    }
    expect(await register({ email, verificationToken })).toMatchObject({ status: 200 })
  })

  it('with a key that is another user’s or of another type, and the token stays valid', async () => {
    const email = newAddress()
    const verificationToken = await proofOf(email)
    const { key } = await auth.signedInUser()
    expect(await register({ email, verificationToken, key })).toMatchObject(
      refused(409, 'KeyIdAlreadyRegisteredError'),
    )
    expect(await register({ email, verificationToken, algorithm: 'RS256' })).toMatchObject(
      refused(400, 'KeyAlgorithmMismatchError'),
    )
    expect(await register({ email, verificationToken, fingerprint: '0'.repeat(64) })).toMatchObject(
      refused(400, 'InvalidKeyFingerprintError'),
    )
    expect(await accountsAt(email)).toHaveLength(0)
    expect(await register({ email, verificationToken })).toMatchObject({ status: 200 })
  })

  it('without exactly one of an address and a number', async () => {
    const email = newAddress()
    const verificationToken = await proofOf(email)
    for (const fields of [{}, { email, phone: '+12025550123' }]) {
      expect(await register({ ...fields, verificationToken })).toMatchObject(
        refused(400, 'ValidationError'),
      )
    }
  })

  it('with more than 4,096 bytes of metadata, and takes so many (decisions 16)', async () => {
    const metadata = (bytes: number) => ({ note: 'x'.repeat(bytes - '{"note":""}'.length) })
    const email = newAddress()
    const verificationToken = await proofOf(email)
    const over = await register({ email, verificationToken, metadata: metadata(4097) })
    expect(over).toMatchObject(refused(400, 'ValidationError'))
    const fits = await register({ email, verificationToken, metadata: metadata(4096) })
    expect(fits).toMatchObject({ status: 200 })
  })

  it('by the eleventh try of a caller who has proved the address, within a minute (A-373)', async () => {
    const limited = await startTestAuth({ env: { SVC_RATE_LIMIT: 'on' } })
    const { registration } = await createTestKey()
    const email = 'ada@example.com'
    const tryWith = async (verificationToken: string, password: string) => {
      const body = { email, verificationToken, password, ...registration }
      return (await limited.call('register', body)).status
    }
    // A stranger who knows the address has no proof, and uses nothing up.
    for (let at = 0; at < 20; at += 1) expect(await tryWith('none', testPassword)).toBe(400)
    const verificationToken = await limited.verificationToken(email, 'registration')
    const statuses = []
    for (let at = 0; at < 11; at += 1) statuses.push(await tryWith(verificationToken, 'weak'))
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429])
    await limited.stop()
  })
})

describe('beforeRegister', () => {
  it('is told of a new account, and of no other', async () => {
    const contexts: RegistrationContext[] = []
    configureAuth({ beforeRegister: (context) => void contexts.push(context) })
    const email = newAddress()
    const metadata = { referrer: 'grace' }
    await register({ email, verificationToken: await proofOf(email), metadata })
    await register({ email, verificationToken: await proofOf(email), metadata })
    expect(contexts).toEqual([{ channel: 'code', email, emailVerified: true, metadata }])
  })

  it('refuses an account by throwing, which leaves nothing of it and the token good', async () => {
    const email = newAddress()
    const verificationToken = await proofOf(email)
    const key = await createTestKey()
    const told = vi.fn<() => void>()
    const leave = registerEvent.subscribe(told)
    configureAuth({
      beforeRegister: () => {
        throw new RegistrationRejectedError({ message: 'By invitation only.' })
      },
    })
    expect(await register({ email, verificationToken, key })).toMatchObject({
      status: 403,
      body: { error: { code: 'RegistrationRejectedError' }, message: 'By invitation only.' },
    })
    leave()
    expect(told).not.toHaveBeenCalled()
    expect(await accountsAt(email)).toHaveLength(0)
    expect(await auth.call('getAuthSession', undefined, key)).toMatchObject({ status: 401 })
    configureAuth({ beforeRegister: () => {} })
    expect(await register({ email, verificationToken, key })).toMatchObject({ status: 200 })
  })

  it('writes in the transaction of the registration', async () => {
    const email = newAddress()
    configureAuth({
      beforeRegister: async (_context, tx) => {
        await tx.insert(auditEvents).values({ at: new Date(), act: 'hook', outcome: 'done' })
        throw new RegistrationRejectedError()
      },
    })
    const answer = await register({ email, verificationToken: await proofOf(email) })
    expect(answer).toMatchObject(refused(403, 'RegistrationRejectedError'))
    const hooks = auth.auth.db.select().from(auditEvents).where(eq(auditEvents.act, 'hook'))
    expect(await hooks).toHaveLength(0)
  })
})

describe('racing registrations', () => {
  it('open one account for one address, however it is written', async () => {
    const forms = ['ﬁnn-race@example.com', 'FINN-race@EXAMPLE.com', ' finn-Race@ｅxample.com']
    const attempts = []
    for (let at = 0; at < 16; at += 1) {
      const email = forms[at % forms.length] as string
      attempts.push({ email, verificationToken: await proofOf(email), key: await createTestKey() })
    }
    const second = await auth.secondInstance()
    second.clock.set(auth.clock.now())
    const instances = [auth.server, second]
    const answers = await Promise.all(
      attempts.map(({ key, ...form }, at) =>
        auth.call('register', { ...form, password: testPassword, ...key.registration }, undefined, {
          at: instances[at % 2] as typeof second,
        }),
      ),
    )
    const byStatus = Map.groupBy(answers, ({ status }) => status)
    expect(byStatus.get(200)).toHaveLength(1)
    expect(byStatus.get(409)).toHaveLength(15)
    const accounts = await accountsAt('finn-race@example.com')
    expect(accounts).toHaveLength(1)
    expect(await auth.keysOf(accounts[0]?.userId as string)).toHaveLength(1)
  })

  it('spend one token once', async () => {
    const email = newAddress()
    const verificationToken = await proofOf(email)
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => register({ email, verificationToken })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const others = answers.filter(({ status }) => status !== 200)
    for (const answer of others) {
      expect(answer).toMatchObject(refused(400, 'InvalidVerificationTokenError'))
    }
  })
})

describe('a registration whose answer was lost', () => {
  it('shows by the key, which signs in already; asked again, its token is spent', async () => {
    const email = newAddress()
    const form = { email, verificationToken: await proofOf(email), key: await createTestKey() }
    const { body } = await register(form)
    expect(await register(form)).toMatchObject(refused(400, 'InvalidVerificationTokenError'))
    expect(await auth.call('getAuthSession', undefined, form.key)).toMatchObject({
      status: 200,
      body: { userId: body.userId, keyId: form.key.keyId },
    })
    expect(await auth.keysOf(body.userId)).toHaveLength(1)
  })
})
