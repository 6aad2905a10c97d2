import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { users } from '../accounts/schema.ts'
import { forgetExpired } from '../forget-expired.ts'
import { startTestAuth, type TestAnswer, testPassword } from '../testing.ts'
import { contactChanges } from './schema.ts'
import { refused, stepsOf } from './testing/contact.ts'

const auth = await startTestAuth()
afterAll(auth.stop)
const { db } = auth.auth
const {
  newEmail,
  newPhone,
  changePhone,
  changed,
  confirm,
  undo,
  rowOf,
  login,
  loginByCode,
  sessionOf,
} = stepsOf(auth)
const deadLink = refused(404, 'ContactUndoLinkError')

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

  it('brings the owner back in and signs all others out, once', async () => {
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

  it('is refused in one way: unknown, expired, or when another account has the address', async () => {
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
