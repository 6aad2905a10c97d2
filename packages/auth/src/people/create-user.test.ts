import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { stepsOf as contactOf } from '../contact/testing/contact.ts'
import { limitOf } from '../limits/testing/limits.ts'
import { RegistrationRejectedError } from '../register/errors.ts'
import { createRole } from '../roles/roles.ts'
import { done, refused } from '../test-answers.ts'
import { createTestKey, startTestAuth, type TestUser, testPassword } from '../testing.ts'
import * as people from './people.ts'
import { operatorsOf, waitingRemoval } from './testing/people.ts'

const channels: string[] = []
const auth = await startTestAuth({
  env: { SVC_RATE_LIMIT: 'on' },
  options: {
    beforeRegister: ({ channel, email }) => {
      channels.push(channel)
      if (email?.startsWith('refused')) throw new RegistrationRejectedError({ message: 'No.' })
    },
  },
})
afterAll(auth.stop)
const { root, admin, read, does, set, trailOf } = await operatorsOf(auth)
const create = (body: object, by = admin) => auth.call('createUser', body, by.key)
const newEmail = () => `${randomUUID()}@example.org`

describe('createUser', () => {
  it('mails the owner a link to set a password where none is given, and they sign in', async () => {
    const email = newEmail()
    let userId = ''
    const token = await auth.linkSentBy(
      async () => {
        const fields = { displayName: 'Ada', locale: 'ko', reason: 'A new colleague' }
        ;({ userId } = await done(create({ email: email.toUpperCase(), ...fields })))
      },
      email,
      'password-reset',
    )
    const { body } = await read(userId)
    expect(body).toMatchObject({ email, displayName: 'Ada', locale: 'ko', role: 'user' })
    expect(body).toMatchObject({ hasPassword: false, status: 'active' })
    const { setupSecret } = await done(auth.call('confirmPasswordReset', { token }))
    const { registration } = await createTestKey()
    const password = testPassword
    await done(auth.call('completePasswordReset', { setupSecret, password, ...registration }))
    await auth.signIn({ email, password })
    const [line] = await trailOf(userId)
    expect(line).toMatchObject({
      act: 'user.created',
      actor: admin.userId,
      details: { role: 'user', reason: 'A new colleague' },
    })
    expect(channels).toContain('operator')
  })

  it('takes an address or a number: the other would let in who has it', async () => {
    const both = { email: newEmail(), phone: '+12025550177' }
    for (const password of [undefined, testPassword]) {
      const answer = await create({ ...both, ...(password && { password }) })
      expect(answer).toMatchObject(refused(400, 'ValidationError'))
      expect(answer.body.fields).toMatchObject([{ path: 'body.phone' }])
    }
  })

  it('has the owner change a password that an operator has chosen, and proves no address', async () => {
    const email = newEmail()
    const { userId } = await done(create({ email, password: testPassword }))
    const { registration } = await createTestKey()
    const answer = await auth.call('login', { email, password: testPassword, ...registration })
    expect(answer).toMatchObject({ status: 200, body: { passwordChangeRequired: true } })
    expect((await read(userId)).body).not.toHaveProperty('emailVerifiedAt')
    expect(await auth.messagesTo(email)).toEqual([])
  })

  it('gives no role that ranks with that of the operator or above, and none that is unknown', async () => {
    const ask = (role: string, by = admin) => create({ email: newEmail(), role }, by)
    await createRole({ name: 'clerk', displayName: 'C', priority: 5, permissions: ['user:read'] })
    await createRole({ name: 'boss', displayName: 'B', priority: 500, permissions: [] })
    expect(await ask('clerk')).toMatchObject({ status: 201 })
    for (const role of ['admin', 'superadmin', 'boss']) {
      expect(await ask(role)).toMatchObject(refused(403, 'ForbiddenError'))
    }
    expect(await ask('nobody')).toMatchObject(refused(404, 'RoleNotFoundError'))
    const { userId } = await done(ask('admin', root))
    expect(await read(userId)).toMatchObject({ body: { role: 'admin' } })
  })

  it.each([
    [{}, 400, 'ValidationError'],
    [{ phone: '+12025550177' }, 400, 'ValidationError'],
    [{ email: 'nobody' }, 400, 'ValidationError'],
    [{ email: 'weak@example.org', password: 'password' }, 400, 'WeakPasswordError'],
    [{ email: 'refused@example.org' }, 403, 'RegistrationRejectedError'],
  ])('refuses %j', async (body, status, code) => {
    expect(await create(body)).toMatchObject(refused(status, code))
  })

  it('opens no second account for an address or a number', async () => {
    const { email } = await auth.createUser()
    expect(await create({ email })).toMatchObject(refused(409, 'AccountAlreadyExistsError'))
    const phone = '+12025550188'
    await done(create({ phone, password: testPassword }))
    expect(await create({ phone, password: testPassword })).toMatchObject(
      refused(409, 'AccountAlreadyExistsError'),
    )
  })

  it('is the same for an application, which gives any role', async () => {
    const { userId } = await people.createUser({ email: newEmail(), role: 'admin' })
    expect(await read(userId)).toMatchObject({ body: { role: 'admin' } })
    expect(await trailOf(userId)).toMatchObject([{ act: 'user.created', actor: null }])
  })
})

describe('resendUserMail', () => {
  const resend = does('resendUserMail')

  it('mails another link to set a password: the one before is dead', async () => {
    const email = newEmail()
    let userId = ''
    const first = await auth.linkSentBy(
      async () => void ({ userId } = await done(create({ email }))),
      email,
      'password-reset',
    )
    const ask = () => done(resend(userId, { mail: 'password_reset' }))
    const second = await auth.linkSentBy(ask, email, 'password-reset')
    const open = (token: string) => auth.call('confirmPasswordReset', { token })
    expect(await open(first)).toMatchObject(refused(401, 'PasswordResetLinkError'))
    expect(await open(second)).toMatchObject({ status: 200 })
    expect((await trailOf(userId)).at(-1)).toMatchObject({
      act: 'user.mail_resent',
      actor: admin.userId,
      details: { mail: 'password_reset' },
    })
    // As many as a stranger who asks for it.
    const statuses: number[] = []
    for (let count = 0; count < 12; count++) {
      statuses.push((await resend(userId, { mail: 'password_reset' })).status)
    }
    expect(statuses.at(-1)).toBe(429)
  })

  it('mails the link that takes a change back, and the one that keeps a factor', async () => {
    const user = await auth.signedInUser()
    const { changed, undo } = contactOf(auth)
    const first = await changed(user, newEmail())
    const undoing = () => done(resend(user.userId, { mail: 'contact_undo' }))
    const second = await auth.linkSentBy(undoing, user.email, 'contact-changed')
    expect(await undo(first)).toMatchObject(refused(404, 'ContactUndoLinkError'))
    expect(await undo(second)).toMatchObject({ status: 200 })
    const { user: other, token } = await waitingRemoval(auth, admin)
    const keeping = () => done(resend(other.userId, { mail: 'factor_removal' }))
    const another = await auth.linkSentBy(keeping, other.email, 'factor-removal-asked')
    const stop = (given: string) => auth.call('stopFactorRemoval', { token: given })
    expect(await stop(token)).toMatchObject(refused(404, 'FactorRemovalLinkError'))
    expect(await stop(another)).toMatchObject({ status: 204 })
  })

  it('mails nothing that does not wait, and nothing to an account above', async () => {
    const { userId } = await auth.createUser()
    for (const mail of ['contact_undo', 'factor_removal']) {
      expect(await resend(userId, { mail })).toMatchObject(refused(409, 'ConflictError'))
    }
    await set(userId, { emailVerifiedAt: null, passwordHash: null })
    expect(await resend(userId, { mail: 'password_reset' })).toMatchObject(
      refused(409, 'ConflictError'),
    )
    expect(await resend(root.userId, { mail: 'password_reset' })).toMatchObject(
      refused(403, 'ForbiddenError'),
    )
  })

  it('counts nothing that an account above is refused, nor does `updateUser`', async () => {
    const { userId } = await auth.createUser({ role: 'admin' })
    const operator = await auth.signedInUser({ role: 'admin' })
    await set(userId, { phone: '+12025550177' })
    const changes = { phone: '+12025550178', reason: 'A letter' }
    for (const ask of [
      (by: TestUser) => resend(userId, { mail: 'password_reset' }, by),
      (by: TestUser) => does('updateUser')(userId, changes, by),
    ]) {
      for (let count = 0; count < 12; count++) {
        expect(await ask(operator)).toMatchObject(refused(403, 'ForbiddenError'))
      }
      expect((await ask(root)).status).toBeLessThan(300)
    }
  })
})

it('an operator over their limit is not told who ranks above them', async () => {
  const operator = await auth.signedInUser({ role: 'admin' })
  const tooMany = refused(429, 'TooManyRequestsError')
  const update = does('updateUser')
  for (let count = 0; count < limitOf('user change by account'); count++) {
    await update(root.userId, {}, operator)
  }
  const phone = { phone: '+12025550142', reason: 'A letter' }
  expect(await update(root.userId, phone, operator)).toMatchObject(tooMany)
  const mail = { mail: 'password_reset' }
  expect(await does('resendUserMail')(root.userId, mail, operator)).toMatchObject(tooMany)
})

describe('the text that takes a change of number back', () => {
  const { changePhone, newPhone } = contactOf(auth)
  const update = does('updateUser')
  const setPhone = (userId: string, by = root) =>
    update(userId, { phone: newPhone(), reason: 'A letter' }, by)
  const tooMany = refused(429, 'TooManyRequestsError')

  it('goes to a number ten times a day, whether an operator or its owner changes it', async () => {
    const user = await auth.signedInUser()
    const first = newPhone()
    const back = () => set(user.userId, { phone: first, phoneVerifiedAt: auth.clock.now() })
    for (let count = 0; count < 10; count++) {
      await back()
      expect((await setPhone(user.userId)).status).toBe(200)
    }
    await back()
    expect(await setPhone(user.userId)).toMatchObject(tooMany)
    expect(await changePhone(user, newPhone())).toMatchObject(tooMany)
    expect(await read(user.userId)).toMatchObject({ body: { phone: first } })
    const undos = async () =>
      (await auth.messagesTo(first)).filter(({ template }) => template === 'contact-changed')
    await vi.waitFor(async () => expect(await undos()).toHaveLength(10), { timeout: 10_000 })
  })

  it('is not counted where the operator may not change the account', async () => {
    const { userId } = await auth.createUser({ role: 'admin' })
    const operator = await auth.signedInUser({ role: 'admin' })
    await done(setPhone(userId))
    for (let count = 0; count < 11; count++) {
      expect(await setPhone(userId, operator)).toMatchObject(refused(403, 'ForbiddenError'))
    }
    expect(await setPhone(userId)).toMatchObject({ status: 200 })
  })
})
