import { randomInt, randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { users } from '../accounts/schema.ts'
import { auditEvents } from '../audit/schema.ts'
import { contactChangedEvent } from '../events.ts'
import { forgetExpired } from '../forget-expired.ts'
import { mailedLinks } from '../links/schema.ts'
import {
  createTestKey,
  startTestAuth,
  type TestAnswer,
  type TestUser,
  testPassword,
} from '../testing.ts'
import { contactChanges } from './schema.ts'

const auth = await startTestAuth()
afterAll(auth.stop)
const { db } = auth.auth

const newEmail = () => `${randomUUID()}@example.org`
const newPhone = () => `+1202${randomInt(1_000_000, 9_999_999)}`
const refused = (status: number, code: string) => ({ status, body: { error: { code } } })
const deadLink = refused(404, 'ContactUndoLinkError')

async function changeEmail(user: TestUser, email: string, more: object = {}) {
  const verificationToken = await auth.verificationToken(email, 'email_change')
  const body = { email, verificationToken, currentPassword: user.password, ...more }
  return auth.call('changeEmail', body, user.key)
}

async function changePhone(user: TestUser, phone: string, more: object = {}) {
  const verificationToken = await auth.verificationToken(phone, 'phone_change')
  const body = { phone, verificationToken, currentPassword: user.password, ...more }
  return auth.call('changePhone', body, user.key)
}

/** Changes it, and answers the token of the link that takes that back. */
function changed(user: TestUser, email: string, from = user.email) {
  return auth.linkSentBy(() => changeEmail(user, email), from, 'contact-changed')
}

const confirm = (token: string) => auth.call('confirmContactUndoLink', { token })
const undo = (token: string) => auth.call('consumeContactUndoLink', { token })

async function rowOf(userId: string) {
  const [row] = await db.select().from(users).where(eq(users.userId, userId))
  return row as typeof users.$inferSelect
}

async function login(given: object) {
  const { registration } = await createTestKey()
  return auth.call('login', { ...given, ...registration })
}

async function loginByCode(target: string) {
  const verificationToken = await auth.verificationToken(target)
  const identifier = target.includes('@') ? { email: target } : { phone: target }
  return login({ ...identifier, verificationToken })
}

const sessionOf = ({ key }: TestUser) => auth.call('getAuthSession', undefined, key)

describe('changeEmail', () => {
  it('sets the address that was proved; the old one signs in by nothing, and the device stays', async () => {
    const user = await auth.signedInUser()
    const { email: old, password } = user
    const email = newEmail()
    const answer = await changeEmail(user, ` ${email.toUpperCase()} `)

    expect(answer).toMatchObject({ status: 200, body: { email } })
    expect((await sessionOf(user)).body).toMatchObject({ email, emailVerified: true })
    expect(await login({ email: old, password })).toMatchObject({ status: 401 })
    expect(await loginByCode(old)).toMatchObject({ status: 401 })
    expect(await login({ email, password })).toMatchObject({ status: 200 })
    expect(await loginByCode(email)).toMatchObject({ status: 200 })
  })

  it('takes no token of another address or purpose, and none twice', async () => {
    const user = await auth.signedInUser()
    const email = newEmail()
    const verificationToken = await auth.verificationToken(newEmail(), 'email_change')
    expect(await changeEmail(user, email, { verificationToken })).toMatchObject(
      refused(400, 'VerificationTokenTargetMismatchError'),
    )
    const registration = await auth.verificationToken(email, 'registration')
    expect(await changeEmail(user, email, { verificationToken: registration })).toMatchObject(
      refused(400, 'VerificationTokenPurposeMismatchError'),
    )
    const token = await auth.verificationToken(email, 'email_change')
    expect(await changeEmail(user, email, { verificationToken: token })).toMatchObject({
      status: 200,
    })
    expect(await changeEmail(user, newEmail())).toMatchObject({ status: 200 })
    expect(await changeEmail(user, email, { verificationToken: token })).toMatchObject(
      refused(400, 'InvalidVerificationTokenError'),
    )
    auth.clock.advance('15m')
    expect(await changeEmail(user, email, { verificationToken: token })).toMatchObject(
      refused(400, 'InvalidVerificationTokenError'),
    )
  })

  it('asks for the password wherever there is one, and says so in the trail', async () => {
    const user = await auth.signedInUser()
    for (const currentPassword of [undefined, '', 'wrong password']) {
      expect(await changeEmail(user, newEmail(), { currentPassword })).toMatchObject(
        refused(401, 'InvalidCredentialsError'),
      )
    }
    expect(await rowOf(user.userId)).toMatchObject({ email: user.email })
    const trail = await db.select().from(auditEvents).where(eq(auditEvents.actor, user.userId))
    const told = trail.filter(({ act }) => act === 'contact.changed')
    expect(told).toHaveLength(3)
    expect(told[0]).toMatchObject({ outcome: 'refused', details: { kind: 'email' } })

    await db.update(users).set({ passwordHash: null }).where(eq(users.userId, user.userId))
    expect(await changeEmail(user, newEmail(), { currentPassword: undefined })).toMatchObject({
      status: 200,
    })
  })

  it('tells that an address is taken to who has proved it, and to nobody else', async () => {
    const [user, other] = [await auth.signedInUser(), await auth.createUser()]
    const verificationToken = await auth.verificationToken(newEmail(), 'email_change')
    expect(await changeEmail(user, other.email, { verificationToken })).toMatchObject(
      refused(400, 'VerificationTokenTargetMismatchError'),
    )
    expect(await changeEmail(user, other.email)).toMatchObject(
      refused(409, 'AccountAlreadyExistsError'),
    )
    expect(await rowOf(user.userId)).toMatchObject({ email: user.email })
    expect(await auth.messagesTo(user.email)).toEqual([])
  })

  it('answers the same for the address that is there, and writes nothing', async () => {
    const user = await auth.signedInUser()
    const email = newEmail()
    const verificationToken = await auth.verificationToken(email, 'email_change')
    const first = await changeEmail(user, email, { verificationToken })
    const before = await rowOf(user.userId)
    auth.clock.advance('1m')
    const again = await changeEmail(user, email, { verificationToken })

    expect([again.status, again.body]).toEqual([first.status, first.body])
    expect(await rowOf(user.userId)).toEqual(before)
    expect(await db.$count(contactChanges, eq(contactChanges.userId, user.userId))).toBe(1)
  })

  it('writes no other member of its body', async () => {
    const user = await auth.signedInUser()
    const extra = { role: 'superadmin', emailVerifiedAt: null, userId: randomUUID(), phone: '+1' }
    expect(await changeEmail(user, newEmail(), extra)).toMatchObject({ status: 200 })
    const { role, phone, userId, emailVerifiedAt } = await rowOf(user.userId)
    expect({ role, phone, userId }).toEqual({ role: 'user', phone: null, userId: user.userId })
    expect(emailVerifiedAt).toEqual(auth.clock.now())
  })

  it('ends the links and codes of the old address, and what waits to register the new one', async () => {
    const user = await auth.signedInUser()
    const email = newEmail()
    const linkOf = (name: 'requestPasswordReset' | 'requestSignupLink', to: string) =>
      auth.linkSentBy(
        () => auth.call(name, { email: to }),
        to,
        name === 'requestSignupLink' ? 'signup-link' : 'password-reset',
      )
    const opened = await auth.call('confirmPasswordReset', {
      token: await linkOf('requestPasswordReset', user.email),
    })
    const { setupSecret } = opened.body
    const signup = await linkOf('requestSignupLink', email)
    const code = await auth.requestCode(user.email)
    expect(await changeEmail(user, email)).toMatchObject({ status: 200 })

    const { registration } = await createTestKey()
    const setup = { setupSecret, password: 'a quite different pass phrase', ...registration }
    expect(await auth.call('completePasswordReset', setup)).toMatchObject({ status: 401 })
    expect((await auth.call('confirmSignupLink', { token: signup })).status).not.toBe(200)
    const [ended] = await db.select().from(mailedLinks).where(eq(mailedLinks.subject, email))
    expect(ended?.state).toBe('superseded')
    const target = { target: user.email, targetType: 'email', purpose: 'login', code }
    expect(await auth.call('verifyCode', target)).toMatchObject(
      refused(400, 'InvalidVerificationCodeError'),
    )
  })

  it('tells the old address, masked, in the account’s language, and of a link to the app', async () => {
    const user = await auth.signedInUser()
    await auth.call('updateLocale', { locale: 'ko' }, user.key)
    const email = `zoe-${randomUUID()}@example.org`
    const mail = await auth.sentBy(() => changeEmail(user, email), user.email, 'contact-changed')
    expect(mail.subject).toBe('이메일 주소가 변경되었습니다')
    expect(mail.text).toContain('z***@example.org')
    expect(mail.text).not.toContain(email)
    expect(mail.text).toContain(`${auth.auth.appUrl}/account/undo?token=`)
    // The mail has it and no row does.
    const rows = await db.select().from(contactChanges)
    const token = /token=([\w-]+)/.exec(mail.text)?.[1] as string
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  it('tells nobody at an address that was never proved, and gives it no way back', async () => {
    const user = await auth.signedInUser()
    await db.update(users).set({ emailVerifiedAt: null }).where(eq(users.userId, user.userId))
    expect(await changeEmail(user, newEmail())).toMatchObject({ status: 200 })
    expect(await db.$count(contactChanges, eq(contactChanges.userId, user.userId))).toBe(0)
  })

  it('emits its event with no address in it', async () => {
    const user = await auth.signedInUser()
    const told: object[] = []
    const unsubscribe = contactChangedEvent.subscribe((payload) => told.push(payload))
    await changeEmail(user, newEmail())
    unsubscribe()
    expect(told).toEqual([{ userId: user.userId, kind: 'email' }])
  })
})

describe('changePhone', () => {
  it('sets the first number, and tells the one before of the next', async () => {
    const user = await auth.signedInUser()
    const [first, second] = [newPhone(), newPhone()]
    expect(await changePhone(user, first)).toMatchObject({ status: 200, body: { phone: first } })
    expect(await auth.messagesTo(first)).toHaveLength(1)
    const token = await auth.linkSentBy(() => changePhone(user, second), first, 'contact-changed')

    expect((await sessionOf(user)).body).toMatchObject({ phone: second, phoneVerified: true })
    expect(await loginByCode(first)).toMatchObject({ status: 401 })
    expect(await confirm(token)).toMatchObject({ body: { kind: 'phone', restores: first } })
    expect(await undo(token)).toMatchObject({ status: 200 })
    expect(await loginByCode(second)).toMatchObject({ status: 401 })
    expect(await loginByCode(first)).toMatchObject({ status: 200 })
  })
})

describe('an undo link', () => {
  it('shows what it would do as often as it is opened, and changes nothing', async () => {
    const user = await auth.signedInUser()
    const email = newEmail()
    const token = await changed(user, email)
    const expiresAt = new Date(auth.clock.now().getTime() + 72 * 3_600_000).toISOString()
    for (let opened = 0; opened < 3; opened += 1) {
      const answer = await confirm(token)
      expect(answer.body).toEqual({ kind: 'email', restores: user.email, expiresAt })
    }
    expect(await rowOf(user.userId)).toMatchObject({ email })
    expect(await sessionOf(user)).toMatchObject({ status: 200 })
  })

  it('brings the owner back in and everybody else out, once', async () => {
    const user = await auth.signedInUser()
    const { email: old, password, userId } = user
    const { emailVerifiedAt } = await rowOf(userId)
    auth.clock.advance('1h')
    const email = newEmail()
    const token = await changed(user, email)
    // What the thief would go on with.
    const ask = () => auth.call('requestPasswordReset', { email })
    const reset = await auth.linkSentBy(ask, email, 'password-reset')
    expect(await undo(token)).toMatchObject({
      status: 200,
      body: { kind: 'email', restores: old, revokedCount: 1 },
    })

    expect(await sessionOf(user)).toMatchObject({ status: 401 })
    expect(await rowOf(userId)).toMatchObject({ email: old, emailVerifiedAt, passwordHash: null })
    for (const given of [
      { email, password },
      { email: old, password },
    ]) {
      expect(await login(given)).toMatchObject({ status: 401 })
    }
    expect(await auth.call('confirmPasswordReset', { token: reset })).toMatchObject({ status: 401 })
    expect(await undo(token)).toMatchObject(deadLink)
    expect(await confirm(token)).toMatchObject(deadLink)

    const askAnew = () => auth.call('requestPasswordReset', { email: old })
    expect(await auth.linkSentBy(askAnew, old, 'password-reset')).toBeTruthy()
    expect(await loginByCode(old)).toMatchObject({ status: 200 })
  })

  it('is not killed by a change of password, nor by a deletion that is pending', async () => {
    const user = await auth.signedInUser()
    const token = await changed(user, newEmail())
    const newPassword = 'a quite different pass phrase'
    const body = { currentPassword: testPassword, newPassword }
    expect((await auth.call('changePassword', body, user.key)).status).toBe(204)
    const status = (to: 'active' | 'suspended' | 'pending_deletion') =>
      db.update(users).set({ status: to }).where(eq(users.userId, user.userId))

    await status('suspended')
    expect(await confirm(token)).toMatchObject(deadLink)
    expect(await undo(token)).toMatchObject(deadLink)
    await status('pending_deletion')
    expect(await undo(token)).toMatchObject({ status: 200 })
    expect(await rowOf(user.userId)).toMatchObject({
      email: user.email,
      status: 'pending_deletion',
    })
  })

  it('of the first address outlives the changes after it, and ends their links', async () => {
    const user = await auth.signedInUser()
    const [b, c] = [newEmail(), newEmail()]
    const first = await changed(user, b)
    const second = await changed(user, c, b)
    expect(await undo(first)).toMatchObject({ body: { restores: user.email } })
    expect(await undo(second)).toMatchObject(deadLink)
    expect(await rowOf(user.userId)).toMatchObject({ email: user.email })
  })

  it('of a later address leaves those of the ones before', async () => {
    const user = await auth.signedInUser()
    const [b, c] = [newEmail(), newEmail()]
    const first = await changed(user, b)
    const second = await changed(user, c, b)
    expect(await undo(second)).toMatchObject({ body: { restores: b } })
    expect(await undo(first)).toMatchObject({ body: { restores: user.email } })
  })

  it('takes off a number that was put in place meanwhile, with the links of its like', async () => {
    const user = await auth.signedInUser()
    const token = await changed(user, newEmail())
    const [q, r] = [newPhone(), newPhone()]
    await changePhone(user, q)
    const back = await auth.linkSentBy(() => changePhone(user, r), q, 'contact-changed')
    expect(await undo(token)).toMatchObject({ status: 200 })

    expect(await rowOf(user.userId)).toMatchObject({ phone: null, phoneVerifiedAt: null })
    expect(await loginByCode(r)).toMatchObject({ status: 401 })
    expect(await undo(back)).toMatchObject(deadLink)
  })

  it('leaves a number that the account has had for long, and the link of its owner', async () => {
    const user = await auth.signedInUser()
    const p = newPhone()
    await changePhone(user, p)
    auth.clock.advance('4d')
    const token = await changed(user, newEmail())
    const back = await auth.linkSentBy(() => changePhone(user, newPhone()), p, 'contact-changed')
    expect(await undo(back)).toMatchObject({ body: { restores: p } })
    expect(await undo(token)).toMatchObject({ body: { restores: user.email } })
    expect(await rowOf(user.userId)).toMatchObject({ phone: p, email: user.email })
  })

  it('is refused in one way: unknown, expired, or when somebody else has the address', async () => {
    const user = await auth.signedInUser()
    const token = await changed(user, newEmail())
    await auth.createUser({ email: user.email })
    const said = ({ status, body }: TestAnswer) => {
      const { requestId: _, ...error } = body.error
      return { status, message: body.message, error }
    }
    const taken = await undo(token)
    expect(taken).toMatchObject(deadLink)
    for (const each of ['unknown', '']) expect(said(await undo(each))).toEqual(said(taken))
    expect(await sessionOf(user)).toMatchObject({ status: 200 })
    await db.update(users).set({ email: newEmail() }).where(eq(users.email, user.email))
    auth.clock.advance('72h')
    expect(await undo(token)).toMatchObject(deadLink)
    expect(await confirm(token)).toMatchObject(deadLink)
  })

  it('is forgotten a day after its end', async () => {
    const user = await auth.signedInUser()
    await changed(user, newEmail())
    const left = () => db.$count(contactChanges, eq(contactChanges.userId, user.userId))
    const sweep = () => forgetExpired.enqueue()
    auth.clock.advance('95h')
    await sweep()
    const later = await auth.signedInUser()
    await changed(later, newEmail())
    expect(await left()).toBe(1)
    auth.clock.advance('1h')
    await sweep()
    await expect.poll(left, { timeout: 10_000 }).toBe(0)
  })
})
