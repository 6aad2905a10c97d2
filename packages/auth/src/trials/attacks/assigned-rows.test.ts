import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { profiles, users } from '../../accounts/schema.ts'
import { hashToken, newToken } from '../../crypto/crypto.ts'
import { waitingDevices } from '../../device/testing/test-waiting.ts'
import { stepsOf as invitationsOf } from '../../invitations/testing/invitations.ts'
import { mailedLinks } from '../../links/schema.ts'
import { stepsOf } from '../../links/testing/links.ts'
import { createTestKey, startTestAuth, testPassword } from '../../testing.ts'

const auth = await startTestAuth()
afterAll(() => auth.stop())
const { db } = auth.auth
const other = await auth.signedInUser()
const admin = await auth.signedInUser({ role: 'admin' })
const token = newToken()

/** Whatever a member of a row could be called that a mailed link, a waiting device, an invitation or an account has. */
const extras = {
  role: 'superadmin',
  status: 'approved',
  state: 'issued',
  tokenHash: hashToken(token),
  token_hash: hashToken(token),
  setupHash: hashToken(token),
  codeHash: hashToken(token),
  deviceCode: token,
  userCode: 'ABCD-EFGH',
  userId: other.userId,
  user_id: other.userId,
  claimedBy: other.userId,
  invitedBy: other.userId,
  acceptedBy: other.userId,
  subject: other.email,
  target: other.email,
  generation: 0,
  purpose: 'password_reset',
  createdAt: '1999-01-01T00:00:00Z',
  expiresAt: '2099-01-01T00:00:00Z',
  expiresAtMillis: 4_000_000_000_000,
  requestedAt: '2099-01-01T00:00:00Z',
  purgeAt: '1999-01-01T00:00:00Z',
  purgeScheduledAt: '1999-01-01T00:00:00Z',
  graceDays: -1,
  emailVerifiedAt: null,
  passwordChangeRequired: true,
  secondFactorSince: '2030-01-01T00:00:00Z',
  permissions: ['rbac:role:manage'],
  constructor: { prototype: { role: 'superadmin' } },
}
const inMinutes = (minutes: number) => new Date(auth.clock.now().getTime() + minutes * 60_000)

describe('members that an operation does not name leave the row as it is', () => {
  it.each([
    ['requestSignupLink', 'signup', 'confirmSignupLink'],
    ['requestPasswordReset', 'password_reset', 'confirmPasswordReset'],
  ] as const)('%s', async (name, purpose, confirm) => {
    const email = `${randomUUID()}@example.com`
    expect((await auth.call(name, { ...extras, email })).status).toBe(200)
    const [row] = await db.select().from(mailedLinks).where(eq(mailedLinks.subject, email))
    expect(row).toMatchObject({ purpose, userId: null, generation: null, setupHash: null })
    expect(row?.expiresAt).toEqual(inMinutes(30))
    expect(row?.tokenHash).not.toBe(hashToken(token))
    expect((await auth.call(confirm, { ...extras, token })).status).toBeGreaterThanOrEqual(400)
  })

  it('completeSignup', async () => {
    const email = `${randomUUID()}@example.com`
    const { registration } = await createTestKey()
    const setupSecret = await stepsOf(auth, 'signup').secret(email)
    const body = {
      ...extras,
      setupSecret,
      password: testPassword,
      ...registration,
      email: other.email,
    }
    const answer = await auth.call('completeSignup', body)
    expect(answer).toMatchObject({ status: 200, body: { email } })
    const [row] = await db.select().from(users).where(eq(users.email, email))
    expect(row).toMatchObject({ role: 'user', status: 'active', passwordChangeRequired: false })
    expect(row?.emailVerifiedAt).toEqual(auth.clock.now())
    expect(row?.userId).not.toBe(other.userId)
  })

  it('completePasswordReset', async () => {
    const { userId, email } = await auth.createUser()
    const { registration } = await createTestKey()
    const setupSecret = await stepsOf(auth, 'reset').secret(email)
    const body = { ...extras, setupSecret, password: 'another one, just as long', ...registration }
    expect(await auth.call('completePasswordReset', body)).toMatchObject({ body: { userId } })
    const [row] = await db.select().from(users).where(eq(users.userId, userId))
    expect(row).toMatchObject({ role: 'user', status: 'active', secondFactorSince: null })
    expect(await auth.keysOf(other.userId)).toHaveLength(1)
  })

  it('startDeviceAuth, pollDeviceAuth and getDeviceAuthInfo', async () => {
    const { start, rowOf } = waitingDevices(auth)
    const { key } = await auth.signedInUser()
    const device = await start(extras)
    expect(device.userCode).not.toBe(extras.userCode)
    expect(device.deviceCode).not.toBe(token)
    const fresh = { state: 'pending', claimedBy: null, generation: null, expiresAt: inMinutes(10) }
    expect(await rowOf(device)).toMatchObject(fresh)
    const polled = { ...extras, deviceCode: device.deviceCode }
    expect(await auth.call('pollDeviceAuth', polled)).toMatchObject({ body: { status: 'pending' } })
    const read = { ...extras, userCode: device.userCode }
    expect((await auth.call('getDeviceAuthInfo', read, key)).status).toBe(200)
    expect(await rowOf(device)).toMatchObject({
      ...fresh,
      claimedBy: expect.not.stringContaining(other.userId),
    })
  })

  it('createInvitation and resendInvitation', async () => {
    const { create, rowOf, lookUp, newAddress } = invitationsOf(auth)
    const email = newAddress()
    const { body } = await create(admin.key, { ...extras, email, role: 'user', expiresInDays: 1 })
    const untouched = {
      email,
      role: 'user',
      state: 'pending',
      invitedBy: admin.userId,
      acceptedBy: null,
    }
    expect(await rowOf(body.invitationId)).toMatchObject({
      ...untouched,
      expiresAt: inMinutes(1440),
    })
    const again = { ...extras, invitationId: body.invitationId, email: other.email }
    expect((await auth.call('resendInvitation', again, admin.key)).status).toBe(200)
    expect(await rowOf(body.invitationId)).toMatchObject({
      ...untouched,
      expiresAt: inMinutes(1440),
    })
    expect((await lookUp(token)).status).toBe(404)
  })

  it('requestAccountDeletion and cancelAccountDeletion', async () => {
    const { userId, email, key } = await auth.signedInUser()
    const proof = { password: testPassword }
    const closed = await auth.call('requestAccountDeletion', { ...extras, ...proof }, key)
    expect(closed.body).toEqual({ purgeScheduledAt: inMinutes(30 * 1440).toISOString() })
    const restored = await auth.call('cancelAccountDeletion', { ...extras, ...proof, email })
    expect(restored.status).toBe(204)
    const [row] = await db.select().from(users).where(eq(users.userId, userId))
    expect(row).toMatchObject({ status: 'active', role: 'user', purgeAt: null, generation: 1 })
    const [same] = await db.select().from(users).where(eq(users.userId, other.userId))
    expect(same).toMatchObject({ status: 'active', generation: 0 })
    expect(await db.select().from(profiles).where(eq(profiles.userId, userId))).toHaveLength(1)
  })
})
