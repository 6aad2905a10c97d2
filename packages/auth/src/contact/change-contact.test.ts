import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { users } from '../accounts/schema.ts'
import { auditEvents } from '../audit/schema.ts'
import { contactChangedEvent } from '../events.ts'
import { mailedLinks } from '../links/schema.ts'
import { createTestKey, startTestAuth } from '../testing.ts'
import { contactChanges } from './schema.ts'
import { refused, stepsOf } from './testing/contact.ts'

const auth = await startTestAuth()
afterAll(auth.stop)
const { db } = auth.auth
const {
  newEmail,
  newPhone,
  changeEmail,
  changePhone,
  confirm,
  undo,
  rowOf,
  login,
  loginByCode,
  sessionOf,
} = stepsOf(auth)

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

  it('tells that an address is taken only to a user who has proved it', async () => {
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

  it('sends no notice to an address that was never proved, and no link to undo', async () => {
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
    const notice = await auth.sentBy(
      async () => {
        const answer = await changePhone(user, first)
        expect(answer).toMatchObject({ status: 200, body: { phone: first } })
      },
      user.email,
      'contact-added',
    )
    expect(notice.text).toContain('***')
    expect(notice.text).not.toContain(first)
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
