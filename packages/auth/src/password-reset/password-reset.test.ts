import { afterAll, describe, expect, it, vi } from 'vitest'
import { stepsOf } from '../links/testing/links.ts'
import { suspendUser } from '../suspension/suspension.ts'
import { startTestAuth, testPassword } from '../testing.ts'
import { dumpTables } from '../trials/attacks/dump-tables.ts'
import { bytes, invalidLink, invalidSession, refused, resetOf } from './testing/reset.ts'

const auth = await startTestAuth()
afterAll(() => auth.stop())

const { db } = auth.auth
const { ask, open, finish, token, secret, linksOf, stateOf, rowOf, userWith, sessionOf } =
  resetOf(auth)
const inMinutes = (minutes: number) =>
  new Date(auth.clock.now().getTime() + minutes * 60_000).toISOString()

describe('requestPasswordReset', () => {
  it('answers when the link ends, and nothing else (A-175, A-178)', async () => {
    const answer = await auth.fetch('/_auth/password/reset', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'nobody@example.com' }),
    })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ success: true, expiresAt: inMinutes(30) })
  })

  it('mails the link of its own template, in the language of the account (A-183)', async () => {
    const { email } = await userWith({ locale: 'ko' })
    const message = await auth.sentBy(() => ask(` ${email.toUpperCase()}`), email, 'password-reset')
    expect(message.text).toMatch(/\/password\/reset\?token=[\w-]{43}\s/)
    expect(message.subject).toMatch(/비밀번호/)
  })

  it.each([
    ['whose address is proved', { emailVerifiedAt: new Date() }],
    ['without a password, whose address is proved', { passwordHash: null }],
    ['with a password, whose address is not proved', { emailVerifiedAt: null }],
  ])('mails an active account %s (A-123)', async (_which, changes) => {
    const { email } = await userWith(changes)
    expect(await open(await token(email))).toMatchObject({ status: 200, body: { email } })
  })

  it.each([
    // What a provider says of an address is no proof of it.
    ['of a provider that has not proved it', { passwordHash: null, emailVerifiedAt: null }],
    ['that is suspended', { status: 'suspended' as const }],
    ['that waits to be deleted', { status: 'pending_deletion' as const }],
    ['that is deleted', { status: 'deleted' as const }],
  ])('mails nothing to an account %s (A-123, A-124)', async (_which, changes) => {
    const { email } = await userWith(changes)
    expect(await ask(email)).toMatchObject({ status: 200 })
    await vi.waitFor(async () => expect(await stateOf(email)).toEqual(['spent']))
    expect(await linksOf(email)).toMatchObject([{ tokenHash: null }])
    expect(await auth.messagesTo(email)).toEqual([])
  })

  it('mails nothing to an address without an account', async () => {
    const email = 'absent@example.com'
    await ask(email)
    await vi.waitFor(async () => expect(await stateOf(email)).toEqual(['spent']))
    expect(await auth.messagesTo(email)).toEqual([])
  })

  it('again is the resend: the earlier link and its session are dead (A-180)', async () => {
    const { email } = await auth.createUser()
    const first = await token(email)
    const second = await auth.linkSentBy(() => ask(email.toUpperCase()), email, 'password-reset')
    expect(await open(first)).toMatchObject(invalidLink)
    const { setupSecret } = (await open(second)).body
    await ask(email)
    expect(await finish(setupSecret)).toMatchObject(invalidSession)
    await auth.signIn({ email, password: testPassword })
  })

  it('ends no session when it is only asked for', async () => {
    const { email, key } = await auth.signedInUser()
    await secret(email)
    expect(await sessionOf(key)).toMatchObject({ status: 200 })
    await auth.signIn({ email, password: testPassword })
  })
})

describe('confirmPasswordReset', () => {
  it('spends the link, and opens a setup session (A-176)', async () => {
    const { email } = await auth.createUser()
    const link = await auth.linkSentBy(() => ask(email, '/inbox'), email, 'password-reset')
    const { status, body } = await open(link)
    expect(status).toBe(200)
    expect(body).toEqual({
      email,
      returnPath: '/inbox',
      setupSecret: expect.stringMatching(/^[\w-]{43}$/),
      setupExpiresAt: inMinutes(15),
    })
    expect(await stateOf(email)).toEqual(['opened'])
    expect(await open(link)).toMatchObject(invalidLink)
    expect((await auth.fetch('/_auth/password/reset/confirm')).headers.get('allow')).toBe('POST')
  })

  it('refuses an unknown, an expired, a spent and a superseded link, and one of an account that has changed, all alike (A-100, A-370)', async () => {
    const expired = await token((await auth.createUser()).email)
    auth.clock.advance('30m')
    // Those made from here on have not expired.
    const spent = await token((await auth.createUser()).email)
    await open(spent)
    const { email } = await auth.createUser()
    const superseded = await token(email)
    await token(email)
    const suspended = await auth.createUser()
    const linkOfSuspended = await token(suspended.email)
    await suspendUser(suspended.userId)

    const answers = await Promise.all(
      ['x'.repeat(43), '', spent, superseded, expired, linkOfSuspended].map((each) => open(each)),
    )
    for (const answer of answers) expect(answer).toMatchObject(invalidLink)
    expect(new Set(answers.map(bytes)).size).toBe(1)
  })

  it('takes a link until the moment that the request named', async () => {
    const { email } = await auth.createUser()
    const link = await token(email)
    auth.clock.advance(30 * 60_000 - 1)
    expect(await open(link)).toMatchObject({ status: 200 })
  })
})

describe('what is stored', () => {
  it('is no token and no secret, before and after their use (A-051)', async () => {
    const { email } = await auth.createUser()
    const link = await token(email)
    const before = await dumpTables(db)
    const { setupSecret } = (await open(link)).body
    const between = await dumpTables(db)
    await finish(setupSecret)
    const rows = [before, between, await dumpTables(db)].join('\n')
    expect(rows).toContain(email)
    expect(rows).not.toContain(link)
    expect(rows).not.toContain(setupSecret)
    const [row] = await linksOf(email)
    expect([row?.tokenHash, row?.setupHash]).toEqual([
      expect.stringMatching(/^[\da-f]{64}$/),
      expect.stringMatching(/^[\da-f]{64}$/),
    ])
  })

  it('opens nothing in the other flow: neither link, nor secret (A-051)', async () => {
    const signup = stepsOf(auth, 'signup')
    const { email } = await auth.createUser()
    const newcomer = 'crossing@example.com'
    expect(await signup.open(await token(email))).toMatchObject(
      refused(400, 'InvalidSignupLinkError'),
    )
    expect(await open(await signup.token(newcomer))).toMatchObject(invalidLink)
    expect(await signup.finish(await secret(email))).toMatchObject(
      refused(401, 'InvalidSignupSetupSessionError'),
    )
    expect(await finish(await signup.secret(newcomer))).toMatchObject(invalidSession)
    expect(await rowOf(newcomer)).toBeUndefined()
    await auth.signIn({ email, password: testPassword })
  })
})
