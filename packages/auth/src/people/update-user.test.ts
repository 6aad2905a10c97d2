import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { stepsOf as contactOf } from '../contact/testing/contact.ts'
import { createRole } from '../roles/roles.ts'
import { refused } from '../test-answers.ts'
import { startTestAuth } from '../testing.ts'
import * as people from './people.ts'
import { operatorsOf } from './testing/people.ts'

const auth = await startTestAuth()
afterAll(auth.stop)
const { root, admin, read, does, set, trailOf } = await operatorsOf(auth)
const update = does('updateUser')
const { newEmail, newPhone, undo } = contactOf(auth)
const reason = 'A letter with a copy of the passport'

describe('updateUser', () => {
  it('changes what is named, and null clears it; the trail names what, and not to what', async () => {
    const { userId } = await auth.createUser()
    const changes = {
      displayName: 'Ada',
      firstName: 'Ada',
      lastName: 'L',
      locale: 'ko-kr',
      timezone: 'asia/seoul',
      metadata: { plan: 'gold' },
    }
    const answer = await update(userId, { ...changes, reason: 'She asked' })
    const changed = { ...changes, locale: 'ko-KR', timezone: 'Asia/Seoul' }
    expect(answer).toMatchObject({ status: 200, body: changed })
    expect(answer.body).toEqual((await read(userId)).body)
    await update(userId, { lastName: null, metadata: null })
    const { body } = await read(userId)
    expect(body).toMatchObject({ displayName: 'Ada', metadata: {} })
    expect(body).not.toHaveProperty('lastName')
    const [first] = await trailOf(userId)
    expect(first).toMatchObject({ act: 'user.updated', actor: admin.userId })
    expect(first?.details).toEqual({ changed: Object.keys(changes), reason: 'She asked' })
  })

  it.each([
    [{ locale: 'no language' }, 'body.locale'],
    [{ timezone: '+09:00' }, 'body.timezone'],
    [{ metadata: { text: 'a'.repeat(9000) } }, 'body.metadata'],
    [{ displayName: 'A\u202eda' }, 'body.displayName'],
    [{ email: 'nobody', reason }, 'body.email'],
    [{ email: 'new@example.org' }, 'body.reason'],
    [{ phone: '+12025550123', reason: ' \n' }, 'body.reason'],
  ])('refuses %j, names %s, and changes nothing', async (changes, path) => {
    const { userId } = await auth.createUser()
    const { body: before } = await read(userId)
    const answer = await update(userId, { firstName: 'New', ...changes })
    expect(answer).toMatchObject(refused(400, 'ValidationError'))
    expect(answer.body.fields.map((field: { path: string }) => field.path)).toContain(path)
    expect((await read(userId)).body).toEqual(before)
  })

  it('asks for `user:read` too, because it answers what `readUser` does', async () => {
    const permissions = ['auth:self:manage', 'user:write']
    await createRole({ name: 'writer', displayName: 'Writer', priority: 50, permissions })
    const writer = await auth.signedInUser({ role: 'writer' })
    const { userId } = await auth.createUser()
    expect(await update(userId, {}, writer)).toMatchObject(refused(403, 'ForbiddenError'))
  })

  it('sets an address as proved, tells both of them, and ends links that were mailed to the old one', async () => {
    const user = await auth.signedInUser()
    const ask = () => auth.call('requestPasswordReset', { email: user.email })
    const resetToken = await auth.linkSentBy(ask, user.email, 'password-reset')
    const email = newEmail()
    let undoToken = ''
    const told = await auth.sentBy(
      async () => {
        const change = () => update(user.userId, { email, reason })
        undoToken = await auth.linkSentBy(change, user.email, 'contact-changed')
      },
      email,
      'contact-added',
    )
    expect(told.text).toContain('This is now the email address of your account')
    const emailVerifiedAt = auth.clock.now().toISOString()
    expect(await read(user.userId)).toMatchObject({ body: { email, emailVerifiedAt } })
    expect(await auth.call('confirmPasswordReset', { token: resetToken })).toMatchObject(
      refused(401, 'PasswordResetLinkError'),
    )
    const [line] = await trailOf(user.userId)
    expect(line).toMatchObject({ act: 'contact.changed', actor: admin.userId })
    expect(line?.details).toEqual({ kind: 'email', reason })
    // Its owner takes it back, as after any change.
    expect(await undo(undoToken)).toMatchObject({ status: 200, body: { restores: user.email } })
  })

  it('proves the address that is there, and sets a number, of which the address hears', async () => {
    const { userId, email } = await auth.createUser()
    await set(userId, { emailVerifiedAt: null })
    await update(userId, { email, reason })
    expect(await read(userId)).toMatchObject({
      body: { email, emailVerifiedAt: auth.clock.now().toISOString() },
    })
    const phone = newPhone()
    const told = await auth.sentBy(() => update(userId, { phone, reason }), email, 'contact-added')
    expect(told.text).toContain('A phone number was added')
    expect(await read(userId)).toMatchObject({ body: { phone } })
    const lines = await trailOf(userId)
    // What is there already is no change.
    expect(await update(userId, { phone, email, reason })).toMatchObject({ status: 200 })
    expect(await trailOf(userId)).toHaveLength(lines.length)
  })

  it('gives no address of another account, and changes nothing then', async () => {
    const [user, other] = [await auth.createUser(), await auth.createUser()]
    const changes = { displayName: 'New', email: other.email, reason }
    expect(await update(user.userId, changes)).toMatchObject(
      refused(409, 'AccountAlreadyExistsError'),
    )
    expect((await read(user.userId)).body).toMatchObject({ email: user.email })
    expect((await read(user.userId)).body).not.toHaveProperty('displayName')
  })

  it('keeps an operator out of an account that holds what they do not hold', async () => {
    const permissions = ['rbac:role:manage']
    await createRole({ name: 'keeper', displayName: 'K', priority: 5, permissions })
    const { userId } = await auth.createUser({ role: 'keeper' })
    expect(await update(userId, { displayName: 'Ada' })).toMatchObject({ status: 200 })
    const changes = { email: newEmail(), reason }
    expect(await update(userId, changes)).toMatchObject(refused(403, 'ForbiddenError'))
    expect(await update(userId, changes, root)).toMatchObject({ status: 200 })
  })

  it('changes neither an account above nor the own one', async () => {
    for (const { userId } of [root, admin]) {
      expect(await update(userId, { displayName: 'New' })).toMatchObject(
        refused(403, 'ForbiddenError'),
      )
    }
    expect(await update(randomUUID(), {})).toMatchObject(refused(404, 'UserNotFoundError'))
  })

  it('is the same for an application, without an actor', async () => {
    const { userId } = await auth.createUser()
    await people.updateUser(userId, { displayName: 'Ada', email: newEmail(), reason })
    expect(await read(userId)).toMatchObject({ body: { displayName: 'Ada' } })
    const lines = await trailOf(userId)
    expect(lines.map(({ act, actor }) => [act, actor])).toEqual([
      ['contact.changed', null],
      ['user.updated', null],
    ])
    await expect(people.updateUser(userId, { email: newEmail() })).rejects.toThrow()
  })
})
