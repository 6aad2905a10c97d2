import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { knownBrowserHeader } from '../caller/contract.ts'
import { deriveKey, keyedHash } from '../crypto/crypto.ts'
import { deviceKeys } from '../keys/schema.ts'
import { chosenPassword, stepsOf } from '../links/testing/links.ts'
import { enrolledUser, waitingSignIn, withKeyring } from '../mfa/testing/test-second-factor.ts'
import { reactivateUser, suspendUser } from '../suspension/suspension.ts'
import { createTestKey, startTestAuth, type TestAnswer, type TestKey } from '../testing.ts'

const env = { ...withKeyring(), SVC_RATE_LIMIT: 'on', SVC_TRUSTED_PROXY_HOPS: '1' }
const auth = await startTestAuth({ env })
afterAll(() => auth.stop())

interface User {
  email: string
  password: string
}

const from = (address: string, token?: string) => ({
  headers: { 'x-forwarded-for': address, ...(token && { [knownBrowserHeader]: token }) },
})

async function login({ email, password }: User, given: ReturnType<typeof from>, key?: TestKey) {
  const { registration } = key ?? (await createTestKey())
  return auth.call('login', { email, password, ...registration }, undefined, given)
}

let homes = 0
/** Signs in from an address of its own, and keeps what the answer gave. */
async function knownIn(user: User) {
  homes += 1
  const home = `198.51.100.${homes}`
  const key = await createTestKey()
  const { body, status } = await login(user, from(home), key)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return { home, key, token: body.knownBrowser as string }
}

const statuses = (answers: TestAnswer[]) => answers.map(({ status }) => status)

/** As many wrong passwords from an address. */
async function guess(email: string, count: number, given: ReturnType<typeof from>) {
  const answers: TestAnswer[] = []
  for (let at = 0; at < count; at += 1) {
    answers.push(await login({ email, password: `guess ${at}` }, given))
  }
  return answers
}

/** Uses up the limits of strangers for the account, from all addresses. */
async function shutStrangersOut(email: string) {
  const take = () => auth.auth.limits.take('logins in an hour by account', email).catch(() => {})
  await Promise.all(Array.from({ length: 100 }, take))
}

/** Whether a try with the token is counted apart from those of strangers. */
async function isKnown(user: User, token: string) {
  await shutStrangersOut(user.email)
  const { status } = await login(user, from('198.51.100.250', token))
  return status === 200 || status === 202
}

interface Owner extends User {
  userId: string
  key: TestKey
}

async function changePassword({ email, password, key }: Owner) {
  const body = { currentPassword: password, newPassword: chosenPassword }
  expect((await auth.call('changePassword', body, key)).status).toBe(204)
  return { email, password: chosenPassword }
}

async function resetPassword({ email }: Owner) {
  const { secret, finish } = stepsOf(auth, 'reset')
  expect((await finish(await secret(email))).status).toBe(200)
  return { email, password: chosenPassword }
}

async function suspendForAWhile({ userId, email, password }: Owner) {
  await suspendUser(userId)
  await reactivateUser(userId)
  return { email, password }
}

/** What a browser is given that signs in when strangers may try again. */
async function tokenOfNextHour(user: User) {
  auth.clock.advance('1h')
  return (await knownIn(user)).token
}

describe('a stranger', () => {
  it('is counted by address and account together: another address still signs in (decisions 16)', async () => {
    const user = await auth.createUser()
    const guesses = await guess(user.email, 11, from('203.0.113.1'))
    expect(statuses(guesses)).toEqual([...Array.from({ length: 10 }, () => 401), 429])
    expect((await login(user, from('203.0.113.2'))).status).toBe(200)
  })

  it('shares a hundred tries an hour at an account with all others, and what is refused is not counted', async () => {
    const user = await auth.createUser()
    await guess(user.email, 15, from('203.0.113.1'))
    for (let at = 2; at <= 9; at += 1) await guess(user.email, 10, from(`203.0.113.${at}`))
    const last = await guess(user.email, 10, from('203.0.113.10'))
    expect(statuses(last)).toEqual(Array.from({ length: 10 }, () => 401))
    const refused = await login(user, from('203.0.113.11'))
    expect(refused).toMatchObject({ status: 429, body: { retryAfter: 3600 } })
    auth.clock.advance('1h')
    expect((await login(user, from('203.0.113.11'))).status).toBe(200)
  })

  it('is counted the same where there is no account', async () => {
    const [{ email }, nobody] = [await auth.createUser(), 'nobody-here@example.com']
    for (const address of ['203.0.113.21', '203.0.113.22']) {
      const there = statuses(await guess(email, 12, from(address)))
      expect(statuses(await guess(nobody, 12, from(address)))).toEqual(there)
    }
  })
})

describe('a known browser', () => {
  it('has ten tries a minute of its own, however many strangers have used up theirs', async () => {
    const user = await auth.createUser()
    const { home, token } = await knownIn(user)
    await shutStrangersOut(user.email)
    const tries = await guess(user.email, 10, from(home, token))
    expect(statuses(tries)).toEqual(Array.from({ length: 10 }, () => 401))
    expect((await login(user, from(home, token))).status).toBe(429)
    auth.clock.advance('1m')
    expect((await login(user, from(home, token))).status).toBe(200)
  })

  it('restores an account while strangers guess at it: its deletion leaves it known', async () => {
    const user = await auth.createUser()
    const { home, key, token } = await knownIn(user)
    const asked = await auth.call('requestAccountDeletion', { password: user.password }, key)
    expect(asked.status).toBe(200)
    await shutStrangersOut(user.email)
    const { email, password } = user
    const cancel = (given: ReturnType<typeof from>) =>
      auth.call('cancelAccountDeletion', { email, password }, undefined, given)
    expect((await cancel(from(home))).status).toBe(429)
    expect((await cancel(from(home, token))).status).toBe(204)
  })

  it('is known after a sign-in of every kind', async () => {
    const email = 'registered-here@example.com'
    const { registration } = await createTestKey()
    const verificationToken = await auth.verificationToken(email, 'registration')
    const body = { email, password: 'correct horse battery staple', verificationToken }
    const answer = await auth.call('register', { ...body, ...registration })
    expect(await isKnown(body, answer.body.knownBrowser)).toBe(true)
  })
})

describe('what it is known by', () => {
  it('shows neither address nor name, and is good for a year', async () => {
    const user = await auth.createUser()
    const { token } = await knownIn(user)
    expect(token).not.toContain(user.email)
    expect(Buffer.from(token, 'base64url').toString()).not.toContain(user.email)
    auth.clock.advance(365 * 86_400_000 - 60_000)
    expect(await isKnown(user, token)).toBe(true)
    auth.clock.advance('1h')
    expect(await isKnown(user, token)).toBe(false)
  })

  it('is of no use at another account', async () => {
    const [mine, theirs] = [await auth.createUser(), await auth.createUser()]
    const { token } = await knownIn(mine)
    expect(await isKnown(theirs, token)).toBe(false)
  })

  it('is shown among others, and of a long list five are looked at', async () => {
    const user = await auth.createUser()
    const { token } = await knownIn(user)
    const list = (before: number) =>
      [...Array.from({ length: before }, () => 'x'), token].join(', ')
    expect(await isKnown(user, list(4))).toBe(true)
    auth.clock.advance('1h')
    expect(await isKnown(user, list(5))).toBe(false)
  })

  it('is made by the secret of the API alone, and anything else is ignored as a stranger’s', async () => {
    const user = await auth.createUser()
    const { token } = await knownIn(user)
    const [userId = '', knownId = '', endsAt = '', mac = ''] = token.split('.')
    const withSecret = (secret: string) => {
      const claims = `${userId}.${knownId}.${endsAt}`
      return `${claims}.${keyedHash(deriveKey(secret, 'known browsers'), claims)}`
    }
    await shutStrangersOut(user.email)
    const forged = [
      withSecret('the secret that the web app seals its cookies with'),
      `${userId}.${knownId}.${Number(endsAt) + 1}.${mac}`,
      `${userId}.${knownId}.${endsAt}.`,
      `${userId}.${knownId}.${endsAt}`,
      'x'.repeat(8000),
      ',,,,',
    ]
    for (const each of forged) {
      expect((await login(user, from('198.51.100.251', each))).status).toBe(429)
    }
    expect((await login(user, from('198.51.100.251', token))).status).toBe(200)
  })

  it('is no credential', async () => {
    const user = await auth.createUser()
    const { token } = await knownIn(user)
    const { registration } = await createTestKey()
    const { email } = user
    for (const credential of [{ password: token }, { verificationToken: token }]) {
      const answer = await auth.call('login', { email, ...credential, ...registration })
      expect([400, 401]).toContain(answer.status)
    }
    const authorization = `Bearer ${token}`
    const bare = await auth.call('getAuthSession', undefined, undefined, {
      headers: { authorization },
    })
    expect(bare.status).toBe(401)
  })
})

describe('a sign-in', () => {
  it('leaves its browser known when it signs out', async () => {
    const user = await auth.createUser()
    const { key, token } = await knownIn(user)
    await auth.call('logout', undefined, key)
    expect(await isKnown(user, token)).toBe(true)
  })

  it('makes its browser a stranger’s when another device revokes it', async () => {
    const user = await auth.createUser()
    const { key, token } = await knownIn(user)
    const other = await auth.signIn(user)
    await auth.call('revokeKey', { keyId: key.keyId }, other)
    expect(await isKnown(user, token)).toBe(false)
  })

  it('that has signed out is forgotten when another device revokes it after that', async () => {
    const user = await auth.createUser()
    const { key, token } = await knownIn(user)
    await auth.call('logout', undefined, key)
    const other = await auth.signIn(user)
    await auth.call('revokeKey', { keyId: key.keyId }, other)
    expect(await isKnown(user, token)).toBe(false)
  })

  it('does so after a rotation too, which hands on by what it is known', async () => {
    const user = await auth.createUser()
    const { key, token } = await knownIn(user)
    const next = await createTestKey()
    await auth.call('rotateKey', next.registration, key)
    expect(await isKnown(user, token)).toBe(true)
    auth.clock.advance('1h')
    const other = await auth.signIn(user)
    await auth.call('revokeKey', { keyId: next.keyId }, other)
    expect(await isKnown(user, token)).toBe(false)
  })

  it('that has signed out is forgotten by a sign-out of all devices; the one that stays is not', async () => {
    const user = await auth.createUser()
    const { key, token } = await knownIn(user)
    await auth.call('logout', undefined, key)
    const staying = await knownIn(user)
    await auth.call('revokeAllKeys', {}, staying.key)
    expect(await isKnown(user, token)).toBe(false)
    expect((await login(user, from(staying.home, staying.token))).status).toBe(200)
  })

  it.each<[string, (user: Owner) => Promise<User>]>([
    ['the password is changed', changePassword],
    ['the password is reset', resetPassword],
    ['the account was suspended', suspendForAWhile],
  ])('leaves no browser known to the account once %s', async (_, end) => {
    const user = await auth.createUser()
    const [left, here] = [await knownIn(user), await knownIn(user)]
    await auth.call('logout', undefined, left.key)
    const key = await auth.signIn(user)
    const after = await end({ ...user, key })
    expect(await isKnown(after, left.token)).toBe(false)
    expect(await isKnown(after, here.token)).toBe(false)
    expect(await isKnown(after, await tokenOfNextHour(after))).toBe(true)
  })

  it('gives nothing to be known by until the second factor is proved', async () => {
    const user = await enrolledUser(auth)
    const { key, challenge } = await waitingSignIn(auth, user)
    const waiting = eq(deviceKeys.keyId, key.keyId)
    const knownIds = () =>
      auth.auth.db.select({ knownId: deviceKeys.knownId }).from(deviceKeys).where(waiting)
    expect(await knownIds()).toEqual([{ knownId: null }])
    const answer = await auth.call('mfaVerify', { challenge, code: user.code() })
    expect(await isKnown(user, answer.body.knownBrowser)).toBe(true)
  })

  it('of a machine is none: it is known by nothing', async () => {
    const user = await auth.signedInUser()
    const { registration, keyId } = await createTestKey()
    const body = { ...registration, permissions: ['auth:self:manage'] }
    expect((await auth.call('createMachineKey', body, user.key)).status).toBe(200)
    const rows = await auth.keysOf(user.userId)
    expect(rows.find((row) => row.keyId === keyId)).toMatchObject({
      kind: 'machine',
      knownId: null,
    })
  })
})
