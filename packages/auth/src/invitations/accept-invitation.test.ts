import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { users } from '../accounts/schema.ts'
import { configureAuth, type RegistrationContext } from '../configure-auth.ts'
import { hashToken } from '../crypto/crypto.ts'
import { registerEvent } from '../events.ts'
import { RegistrationRejectedError } from '../register/errors.ts'
import { updateRole } from '../roles/roles.ts'
import { suspendUser } from '../suspension/suspension.ts'
import {
  createTestKey,
  startTestAuth,
  type TestAnswer,
  type TestKey,
  testPassword,
} from '../testing.ts'
import { invitationAcceptedEvent } from './events.ts'
import { stepsOf, testRoles } from './testing/invitations.ts'

const auth = await startTestAuth({ options: testRoles })
afterAll(() => auth.stop())
// What an application configures is of the whole process.
afterEach(() => configureAuth({ beforeRegister: () => {} }))

const { db } = auth.auth
const { invite, lookUp, accept, inDays, accountsAt, rowOf, trailOf } = stepsOf(auth)
const root = await auth.signedInUser({ role: 'superadmin' })
const admin = await auth.signedInUser({ role: 'admin' })
beforeEach(() => Promise.all([root, admin].map(auth.proveRecent)))

const refused = (status: number, code: string) => ({ status, body: { error: { code } } })
const notFound = refused(404, 'InvitationNotFoundError')

const sessionOf = (key: TestKey) => auth.call('getAuthSession', undefined, key)

/** A refusal without what no two answers have in common. */
const bytes = ({ status, body }: TestAnswer) =>
  JSON.stringify([status, body]).replaceAll(body.error.requestId, '')

describe('getInvitation', () => {
  it('says what is offered, and changes nothing', async () => {
    const { invitationId, email, token } = await invite(admin.key, { role: 'clerk' })
    const before = await rowOf(invitationId)
    for (let times = 0; times < 3; times += 1) {
      expect((await lookUp(token)).body).toEqual({
        email,
        role: 'clerk',
        roleDisplayName: 'The clerk',
        expiresAt: inDays(7),
      })
    }
    expect(await rowOf(invitationId)).toEqual(before)
    expect(await accountsAt(email)).toEqual([])
  })
})

describe('acceptInvitation', () => {
  it('opens the account of the address with the role, and signs in (A-158, A-159)', async () => {
    const metadata = { team: 'north' }
    const { invitationId, email, token } = await invite(admin.key, { role: 'clerk', metadata })
    const told: unknown[] = []
    const leave = invitationAcceptedEvent.subscribe((payload) => void told.push(payload))
    const stop = registerEvent.subscribe((payload) => void told.push(payload))
    const hooked: RegistrationContext[] = []
    configureAuth({ beforeRegister: (context) => void hooked.push(context) })
    const key = await createTestKey()
    const answer = await accept(token, { key })
    leave()
    stop()
    const { userId, publicId } = answer.body
    const own = { userId, publicId, email }
    expect(answer.status).toBe(200)
    const knownBrowser = expect.any(String)
    expect(answer.body).toEqual({
      mfaRequired: false,
      knownBrowser,
      ...own,
      passwordChangeRequired: false,
    })
    expect(await sessionOf(key)).toMatchObject({
      body: { ...own, emailVerified: true, hasPassword: true, role: { name: 'clerk' } },
    })
    expect(hooked).toEqual([{ channel: 'invitation', email, emailVerified: true, metadata }])
    expect(told).toHaveLength(2)
    expect(told).toContainEqual({ userId, provider: 'email', email, metadata })
    expect(told).toContainEqual({ invitationId, userId })
    expect(await rowOf(invitationId)).toMatchObject({ state: 'accepted', acceptedBy: userId })
    const trail = (await trailOf(invitationId)).map(({ act, actor }) => [act, actor])
    expect(trail).toEqual([
      ['invitation.created', admin.userId],
      ['invitation.accepted', userId],
    ])
    await auth.signIn({ email, password: testPassword })
  })

  it('gives no other address or role than was offered, even if others are sent', async () => {
    const { email, token } = await invite(admin.key)
    const key = await createTestKey()
    const answer = await accept(token, {
      key,
      email: 'eve@example.com',
      role: 'superadmin',
      permissions: ['rbac:role:manage'],
      status: 'suspended',
      userId: admin.userId,
      invitationId: randomUUID(),
      invitedBy: root.userId,
      metadata: { role: 'superadmin' },
    })
    expect(answer).toMatchObject({ status: 200, body: { email } })
    expect(await sessionOf(key)).toMatchObject({
      body: { email, status: 'active', role: { name: 'user' }, permissions: ['auth:self:manage'] },
    })
    expect(await accountsAt('eve@example.com')).toEqual([])
  })

  const endings: Record<string, () => Promise<string>> = {
    'is forged': async () => `${(await invite(admin.key)).token.slice(0, -1)}!`,
    'is the id': async () => (await invite(admin.key)).invitationId,
    'is the hash': async () => hashToken((await invite(admin.key)).token),
    'was accepted': async () => {
      const { token } = await invite(admin.key)
      await accept(token)
      return token
    },
    'was taken back': async () => {
      const { token, invitationId } = await invite(admin.key)
      await auth.call('cancelInvitation', { invitationId }, admin.key)
      return token
    },
    'was sent again': async () => {
      const { token, invitationId } = await invite(admin.key)
      await auth.call('resendInvitation', { invitationId }, admin.key)
      return token
    },
    'was deleted': async () => {
      const { token, invitationId } = await invite(admin.key)
      await auth.call('deleteInvitation', { invitationId }, root.key)
      return token
    },
    'has expired': async () => {
      const { token } = await invite(admin.key, { expiresInDays: 1 })
      auth.clock.advance('1d')
      return token
    },
    'is by a user who was suspended': async () => {
      const inviter = await auth.signedInUser({ role: 'admin' })
      const { token } = await invite(inviter.key)
      await suspendUser(inviter.userId)
      return token
    },
    'is by a user who may invite no more': async () => {
      const inviter = await auth.signedInUser({ role: 'admin' })
      const { token } = await invite(inviter.key)
      const params = { userId: inviter.userId }
      await auth.call('updateUserRole', { role: 'clerk' }, root.key, { params })
      return token
    },
    'is by a user who ranks below by now': async () => {
      const inviter = await auth.signedInUser({ role: 'superadmin' })
      const { token } = await invite(inviter.key, { role: 'admin' })
      const params = { userId: inviter.userId }
      await auth.call('updateUserRole', { role: 'admin' }, root.key, { params })
      return token
    },
    'is for a role that grants more by now than the inviter holds': async () => {
      const { body } = await auth.call('createAdminRole', newRole(), root.key)
      const { token } = await invite(admin.key, { role: body.role.name })
      await updateRole(body.role.name, { permissions: ['rbac:role:manage'] })
      return token
    },
    'is for a role that is not active by now': async () => {
      const { body } = await auth.call('createAdminRole', newRole(), root.key)
      const { token } = await invite(admin.key, { role: body.role.name })
      await updateRole(body.role.name, { isActive: false })
      return token
    },
    'is for a role that was deleted': async () => {
      const { body } = await auth.call('createAdminRole', newRole(), root.key)
      const { token } = await invite(admin.key, { role: body.role.name })
      const { roleId } = body.role
      await auth.call('deleteAdminRole', undefined, root.key, { params: { roleId } })
      return token
    },
  }
  const newRole = () => ({ name: `r-${randomUUID()}`, displayName: 'Passing' })

  it.each(Object.keys(endings))('refuses a token that %s as an unknown one', async (how) => {
    const token = (await endings[how]?.()) as string
    const accounts = await db.$count(users)
    const unknown = await accept(hashToken(how))
    expect(unknown).toMatchObject(notFound)
    expect(bytes(await accept(token))).toBe(bytes(unknown))
    expect(bytes(await lookUp(token))).toBe(bytes(unknown))
    expect(await db.$count(users)).toBe(accounts)
  })

  it('goes by a role that was renamed', async () => {
    const { body } = await auth.call('createAdminRole', newRole(), root.key)
    const { token } = await invite(admin.key, { role: body.role.name })
    const name = newRole().name
    await updateRole(body.role.name, { name })
    const key = await createTestKey()
    expect(await accept(token, { key })).toMatchObject({ status: 200 })
    expect(await sessionOf(key)).toMatchObject({ body: { role: { name } } })
  })

  it('leaves the invitation as it was when the account is refused', async () => {
    const { invitationId, email, token } = await invite(admin.key)
    const before = await rowOf(invitationId)
    const weak = refused(400, 'WeakPasswordError')
    expect(await accept(token, { password: 'password' })).toMatchObject(weak)
    expect(await accept(token, { password: email })).toMatchObject(weak)
    const key = { fingerprint: 'f'.repeat(64) }
    expect(await accept(token, key)).toMatchObject(refused(400, 'InvalidKeyFingerprintError'))
    const taken = { keyId: admin.key.keyId }
    expect(await accept(token, taken)).toMatchObject(refused(409, 'KeyIdAlreadyRegisteredError'))
    configureAuth({
      beforeRegister: () => {
        throw new RegistrationRejectedError()
      },
    })
    expect(await accept(token)).toMatchObject(refused(403, 'RegistrationRejectedError'))
    configureAuth({ beforeRegister: () => {} })
    expect(await rowOf(invitationId)).toEqual(before)
    expect(await accountsAt(email)).toEqual([])
    expect(await accept(token)).toMatchObject({ status: 200 })
  })

  it('tells the reader of the mail that the address has an account by now', async () => {
    const { invitationId, email, token } = await invite(admin.key, { role: 'clerk' })
    const before = await rowOf(invitationId)
    const { userId } = await auth.createUser({ email })
    expect(await accept(token)).toMatchObject(refused(409, 'AccountAlreadyExistsError'))
    expect(await rowOf(invitationId)).toEqual(before)
    expect(await accountsAt(email)).toMatchObject([{ userId, role: 'user' }])
  })
})
