import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { users } from '../accounts/schema.ts'
import { configureAuth, type RegistrationContext } from '../configure-auth.ts'
import { deviceRegisteredEvent, registerEvent } from '../events.ts'
import { mailedLinks } from '../links/schema.ts'
import { chosenPassword, stepsOf } from '../links/testing/links.ts'
import { RegistrationRejectedError } from '../register/errors.ts'
import { createTestKey, startTestAuth, type TestAnswer } from '../testing.ts'
import { dumpTables } from '../trials/attacks/dump-tables.ts'

const auth = await startTestAuth()
afterAll(() => auth.stop())
// What an application configures is of the whole process.
afterEach(() => configureAuth({ beforeRegister: () => {} }))

const { db } = auth.auth
const { ask, open, finish, token, secret } = stepsOf(auth, 'signup')

const newAddress = () => `${randomUUID()}@example.com`
const refused = (status: number, code: string) => ({ status, body: { error: { code } } })
const invalidLink = refused(400, 'InvalidSignupLinkError')
const invalidSession = refused(401, 'InvalidSignupSetupSessionError')
const accountsAt = (email: string) => db.select().from(users).where(eq(users.email, email))
const linksOf = (email: string) =>
  db.select().from(mailedLinks).where(eq(mailedLinks.subject, email))
const inMinutes = (minutes: number) =>
  new Date(auth.clock.now().getTime() + minutes * 60_000).toISOString()

/** A refusal without what no two answers have in common. */
const bytes = ({ status, body }: TestAnswer) =>
  JSON.stringify([status, body]).replaceAll(body.error.requestId, '')

describe('requestSignupLink', () => {
  it('answers when the link ends, and nothing else (A-171, A-178)', async () => {
    const answer = await auth.fetch('/_auth/signup/email', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: newAddress() }),
    })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ success: true, expiresAt: inMinutes(30) })
  })

  it('mails a link to an address without an account (A-115, A-183)', async () => {
    const email = newAddress()
    const message = await auth.sentBy(() => ask(` ${email.toUpperCase()} `), email, 'signup-link')
    expect(message).toMatchObject({ channel: 'mail', subject: 'Confirm your address' })
    expect(message.text).toMatch(/\/signup\/confirm\?token=[\w-]{43}\s/)
    expect(message.text).toContain('30 minutes')
  })

  it('tells an address that has an account so, without a link (A-115)', async () => {
    const { email } = await auth.createUser()
    const message = await auth.sentBy(() => ask(email), email, 'account-exists')
    expect(message.text).not.toContain('token=')
    await vi.waitFor(async () => expect(await linksOf(email)).toMatchObject([{ state: 'spent' }]))
    expect(await linksOf(email)).toMatchObject([{ tokenHash: null, setupHash: null }])
    expect(await auth.messagesTo(email)).toHaveLength(1)
  })

  it('leads that owner to the sign-in, in the language of the account', async () => {
    const { email, userId } = await auth.createUser()
    await db.update(users).set({ locale: 'ko' }).where(eq(users.userId, userId))
    const headers = { 'accept-language': 'en' }
    const asked = () => auth.call('requestSignupLink', { email }, undefined, { headers })
    const message = await auth.sentBy(asked, email, 'account-exists')
    expect(message.subject).toBe('이미 가입된 이메일 주소입니다')
    expect(message.text).toMatch(/^http:\/\/\S+\/login$/m)
  })

  it('writes in the language of the browser that asked', async () => {
    const email = newAddress()
    const headers = { 'accept-language': 'ko-KR,ko;q=0.9' }
    const asked = () => auth.call('requestSignupLink', { email }, undefined, { headers })
    const link = await auth.linkSentBy(asked, email, 'signup-link')
    const [message] = await auth.messagesTo(email)
    expect(message?.subject).toBe('이메일 주소를 확인해 주세요')
    const { body } = await open(link)
    const key = await createTestKey()
    await finish(body.setupSecret, { key })
    const session = await auth.call('getAuthSession', undefined, key)
    expect(session).toMatchObject({ body: { locale: 'ko-KR' } })
  })

  it('again is the resend: the earlier link is dead, in whichever spelling it was asked (A-116)', async () => {
    const email = newAddress()
    const earlier = await token(email)
    const later = await auth.linkSentBy(() => ask(email.toUpperCase()), email, 'signup-link')
    expect(await open(earlier)).toMatchObject(invalidLink)
    expect(await open(later)).toMatchObject({ status: 200, body: { email } })
  })

  it('again ends the setup session of the earlier link too (A-116)', async () => {
    const email = newAddress()
    const setupSecret = await secret(email)
    await token(email)
    expect(await finish(setupSecret)).toMatchObject(invalidSession)
    expect(await accountsAt(email)).toEqual([])
  })

  it('leaves the links of other addresses alone', async () => {
    const email = newAddress()
    const link = await token(email)
    await token(newAddress())
    expect(await open(link)).toMatchObject({ status: 200, body: { email } })
  })

  it('refuses what is no address, and writes nothing', async () => {
    const before = await db.$count(mailedLinks)
    for (const email of [
      '',
      'ada',
      'a@b@example.com',
      'ada@example.com, eve@example.com',
      'a\n@b.c',
    ])
      expect(await ask(email)).toMatchObject(refused(400, 'ValidationError'))
    expect(await db.$count(mailedLinks)).toBe(before)
  })
})

describe('confirmSignupLink', () => {
  it('spends the link, and opens a setup session (A-117, A-172)', async () => {
    const email = newAddress()
    const link = await auth.linkSentBy(() => ask(email, '/welcome?a=1'), email, 'signup-link')
    const { status, body } = await open(link)
    expect(status).toBe(200)
    expect(body).toEqual({
      email,
      returnPath: '/welcome?a=1',
      setupSecret: expect.stringMatching(/^[\w-]{43}$/),
      setupExpiresAt: inMinutes(15),
    })
    expect(body.setupSecret).not.toBe(link)
    expect(await linksOf(email)).toMatchObject([{ state: 'opened' }])
    expect(await accountsAt(email)).toEqual([])
  })

  it('answers the root of the app where no path was asked for', async () => {
    expect(await open(await token(newAddress()))).toMatchObject({ body: { returnPath: '/' } })
  })

  it('refuses an unknown, an expired, a spent and a superseded link, all alike (A-098, A-118)', async () => {
    const expired = await token(newAddress())
    auth.clock.advance('30m')
    // Those made from here on have not expired.
    const spent = await token(newAddress())
    await open(spent)
    const superseded = newAddress()
    const earlier = await token(superseded)
    await token(superseded)

    const answers = await Promise.all(
      ['x'.repeat(43), '', spent, earlier, expired].map((each) => open(each)),
    )
    for (const answer of answers) expect(answer).toMatchObject(invalidLink)
    expect(new Set(answers.map(bytes)).size).toBe(1)
  })

  it('takes a link until the moment that the request named (A-118)', async () => {
    const email = newAddress()
    const link = await token(email)
    auth.clock.advance(30 * 60_000 - 1)
    expect(await open(link)).toMatchObject({ status: 200, body: { email } })
  })
})

describe('completeSignup', () => {
  it('opens the account, and signs in (A-119, A-122, A-173, A-174)', async () => {
    const email = newAddress()
    const key = await createTestKey()
    const setupSecret = await secret(email)
    const answer = await finish(setupSecret, { key })
    expect(answer.status).toBe(200)
    const { userId, publicId } = answer.body
    const knownBrowser = expect.any(String)
    expect(answer.body).toEqual({ userId, publicId, email, knownBrowser })
    expect(await accountsAt(email)).toMatchObject([
      { userId, publicId, emailVerifiedAt: auth.clock.now(), status: 'active', role: 'user' },
    ])
    expect(await auth.keysOf(userId)).toMatchObject([{ keyId: key.keyId, state: 'active' }])
    expect(await auth.call('getAuthSession', undefined, key)).toMatchObject({
      status: 200,
      body: { userId, email, emailVerified: true, hasPassword: true },
    })
    expect(await linksOf(email)).toMatchObject([{ state: 'spent' }])
    await auth.signIn({ email, password: chosenPassword })
  })

  it('tells of the account and of its key after the commit', async () => {
    const email = newAddress()
    const setupSecret = await secret(email)
    const told: unknown[] = []
    const leave = registerEvent.subscribe(async (payload) => {
      told.push(payload, await accountsAt(email))
    })
    const stop = deviceRegisteredEvent.subscribe(({ channel }) => void told.push(channel))
    const { userId } = (await finish(setupSecret)).body
    leave()
    stop()
    expect(told).toHaveLength(3)
    expect(told).toContainEqual({ userId, provider: 'email', email })
    expect(told).toContainEqual([expect.objectContaining({ userId })])
    expect(told).toContain('completeSignup')
  })

  it('leaves the session as it was when the password is too weak (A-120)', async () => {
    const email = newAddress()
    const setupSecret = await secret(email)
    for (const password of ['short', 'password1234', email, 'x'.repeat(257)]) {
      const answer = await finish(setupSecret, { password })
      expect(answer).toMatchObject(refused(400, 'WeakPasswordError'))
    }
    expect(await accountsAt(email)).toEqual([])
    expect(await linksOf(email)).toMatchObject([{ state: 'opened', endedAt: null }])
    expect(await finish(setupSecret)).toMatchObject({ status: 200, body: { email } })
  })

  it('refuses a session that is unknown, expired or used, all alike (A-098, A-121)', async () => {
    const used = await secret(newAddress())
    expect((await finish(used)).status).toBe(200)
    const expired = await secret(newAddress())
    auth.clock.advance('15m')
    const before = await db.$count(users)
    const answers = await Promise.all(
      ['x'.repeat(43), '', used, expired].map((setupSecret) => finish(setupSecret)),
    )
    for (const answer of answers) expect(answer).toMatchObject(invalidSession)
    expect(new Set(answers.map(bytes)).size).toBe(1)
    expect(await db.$count(users)).toBe(before)
  })

  it('takes a session until the moment that was named, however old its link (A-121)', async () => {
    const link = await token(newAddress())
    auth.clock.advance(30 * 60_000 - 1)
    const { setupSecret } = (await open(link)).body
    auth.clock.advance(15 * 60_000 - 1)
    expect((await finish(setupSecret)).status).toBe(200)
  })

  it('takes neither a link’s token nor a session that was never opened', async () => {
    const email = newAddress()
    const link = await token(email)
    expect(await finish(link)).toMatchObject(invalidSession)
    expect(await open(link)).toMatchObject({ status: 200 })
    expect(await accountsAt(email)).toEqual([])
  })

  it('opens no second account where one was opened meanwhile, and says so to its owner', async () => {
    const email = newAddress()
    const setupSecret = await secret(email)
    const { userId } = await auth.createUser({ email })
    expect(await finish(setupSecret)).toMatchObject(refused(409, 'AccountAlreadyExistsError'))
    expect(await accountsAt(email)).toMatchObject([{ userId }])
    expect(await auth.keysOf(userId)).toEqual([])
  })

  it('asks beforeRegister once, whose refusal opens nothing and leaves the session', async () => {
    const email = newAddress()
    const setupSecret = await secret(email)
    const told = vi.fn<(payload: unknown) => void>()
    const leave = registerEvent.subscribe(told)
    const asked: RegistrationContext[] = []
    configureAuth({
      beforeRegister(context) {
        asked.push(context)
        throw new RegistrationRejectedError()
      },
    })
    const key = await createTestKey()
    expect(await finish(setupSecret, { key })).toMatchObject(
      refused(403, 'RegistrationRejectedError'),
    )
    expect(asked).toEqual([{ channel: 'link', email, emailVerified: true }])
    expect(await accountsAt(email)).toEqual([])
    expect(await auth.call('getAuthSession', undefined, key)).toMatchObject({ status: 401 })
    expect(told).not.toHaveBeenCalled()
    leave()

    configureAuth({ beforeRegister: () => {} })
    expect(await finish(setupSecret, { key })).toMatchObject({ status: 200, body: { email } })
  })

  it('with a key id that is taken does nothing at all, and leaves the session (A-119)', async () => {
    const { key, userId } = await auth.signedInUser()
    const email = newAddress()
    const setupSecret = await secret(email)
    const answer = await finish(setupSecret, { key })
    expect(answer).toMatchObject(refused(409, 'KeyIdAlreadyRegisteredError'))
    expect(await accountsAt(email)).toEqual([])
    expect(await auth.keysOf(userId)).toMatchObject([{ keyId: key.keyId, state: 'active' }])
    expect(await finish(setupSecret)).toMatchObject({ status: 200, body: { email } })
  })
})

describe('what is stored', () => {
  it('is no token and no secret, before and after their use (A-050)', async () => {
    const email = newAddress()
    const link = await token(email)
    const before = await dumpTables(db)
    const { setupSecret } = (await open(link)).body
    const between = await dumpTables(db)
    await finish(setupSecret)
    const rows = [before, between, await dumpTables(db)].join('\n')
    expect(rows).toContain(email)
    expect(rows).not.toContain(link)
    expect(rows).not.toContain(setupSecret)
    expect(rows).not.toContain(Buffer.from(link, 'base64url').toString('hex'))
    const [row] = await linksOf(email)
    expect([row?.tokenHash, row?.setupHash]).toEqual([
      expect.stringMatching(/^[\da-f]{64}$/),
      expect.stringMatching(/^[\da-f]{64}$/),
    ])
  })
})
