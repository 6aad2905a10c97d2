import { defineRouter, route } from '@svc/core'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { deletionRequestedEvent, keyRevokedEvent } from '../events.ts'
import { attempts } from '../limits/schema.ts'
import { oneTimeTokenAuth } from '../one-time-token/one-time-token.ts'
import { refused } from '../test-answers.ts'
import { createTestKey, startTestAuth } from '../testing.ts'
import { deletionOf } from './testing/deletion.ts'

const router = defineRouter({
  handshake: route
    .get('/handshake')
    .use([oneTimeTokenAuth])
    .handler(() => 'in'),
})
const auth = await startTestAuth({ router, env: { SVC_RATE_LIMIT: 'on' } })
afterAll(() => auth.stop())
const { request, accountOf, statusOf, set, actsOf } = deletionOf(auth)
beforeEach(() => auth.auth.db.delete(attempts))

const told: [string, unknown][] = []
for (const event of [deletionRequestedEvent, keyRevokedEvent]) {
  event.subscribe((payload) => void told.push([event.name, payload]))
}

const inDays = (days: number) => new Date(auth.clock.now().getTime() + days * 86_400_000)
const wrong = 'not the password at all'

describe('requestAccountDeletion', () => {
  it('closes the account for thirty days, and signs every device out (A-047, A-136, A-160)', async () => {
    const user = await auth.signedInUser()
    const other = await auth.signIn(user)
    const answer = await request(user)
    const purgeScheduledAt = inDays(30).toISOString()
    expect([answer.status, answer.body]).toEqual([200, { purgeScheduledAt }])
    expect(await accountOf(user.userId)).toMatchObject({
      status: 'pending_deletion',
      purgeAt: inDays(30),
      email: user.email,
    })
    for (const key of [user.key, other]) {
      expect(await auth.call('getAuthSession', undefined, key)).toMatchObject(
        refused(401, 'UnauthorizedError'),
      )
    }
  })

  it('takes a code of its own purpose in the place of the password (A-162)', async () => {
    const user = await auth.signedInUser()
    await set(user.userId, { passwordHash: null })
    expect(await request(user)).toMatchObject(refused(401, 'InvalidCredentialsError'))
    const verificationToken = await auth.verificationToken(user.email, 'account_deletion')
    expect(await request(user, { password: undefined, verificationToken })).toMatchObject({
      status: 200,
    })
  })

  it('takes a code that went to the number of the account', async () => {
    const user = await auth.signedInUser()
    await set(user.userId, { phone: '+12025550177' })
    const verificationToken = await auth.verificationToken('+12025550177', 'account_deletion')
    expect(await request(user, { password: undefined, verificationToken })).toMatchObject({
      status: 200,
    })
  })

  it('is proved by nothing else, and then nothing has changed (A-160)', async () => {
    const user = await auth.signedInUser()
    const { email } = await auth.createUser()
    const foreign = await auth.verificationToken(email, 'account_deletion')
    const forLogin = await auth.verificationToken(user.email, 'login')
    const older = await auth.verificationToken(user.email, 'account_deletion')
    await auth.call('revokeAllKeys', {}, user.key)
    const token = (verificationToken: string) => ({ password: undefined, verificationToken })
    const tries: [object, number, string][] = [
      [{ password: wrong }, 401, 'InvalidCredentialsError'],
      [{ password: undefined }, 400, 'ValidationError'],
      [{ verificationToken: older }, 400, 'ValidationError'],
      [token('none'), 400, 'InvalidVerificationTokenError'],
      [token(forLogin), 400, 'VerificationTokenPurposeMismatchError'],
      [token(foreign), 400, 'VerificationTokenTargetMismatchError'],
      [token(older), 401, 'InvalidCredentialsError'],
    ]
    for (const [body, status, code] of tries) {
      expect(await request(user, body)).toMatchObject(refused(status, code))
    }
    expect(await auth.call('requestAccountDeletion', {})).toMatchObject({ status: 401 })
    expect(await statusOf(user.userId)).toBe('active')
    expect(await auth.call('getAuthSession', undefined, user.key)).toMatchObject({ status: 200 })
    // What names no credential at all is no try.
    const acts = await actsOf(user.userId)
    expect(acts.map(({ act, outcome }) => [act, outcome])).toEqual(
      Array.from({ length: 5 }, () => ['deletion.requested', 'refused']),
    )
  })

  it('is no way to guess a password without a limit', async () => {
    const user = await auth.signedInUser()
    for (let count = 0; count < 10; count++) await request(user, { password: wrong })
    expect(await request(user)).toMatchObject(refused(429, 'TooManyRequestsError'))
    expect(await statusOf(user.userId)).toBe('active')
  })

  it('asks for the second factor where the account has one (A-160)', async () => {
    const user = await auth.signedInUser()
    await set(user.userId, { secondFactorSince: auth.clock.now() })
    expect(await request(user)).toMatchObject(refused(403, 'StepUpRequiredError'))
  })

  it('never takes the last superadmin', async () => {
    const root = await auth.signedInUser({ role: 'superadmin' })
    expect(await request(root)).toMatchObject(refused(403, 'LastSuperadminError'))
    expect(await statusOf(root.userId)).toBe('active')
    expect(await auth.call('getAuthSession', undefined, root.key)).toMatchObject({ status: 200 })
    await auth.createUser({ role: 'superadmin' })
    expect(await request(root)).toMatchObject({ status: 200 })
  })

  it('tells the application, the trail and the owner (A-162)', async () => {
    const user = await auth.signedInUser()
    const { userId, key } = user
    const reason = 'Too much \u202Email\n\u0000.'
    const notice = await auth.sentBy(
      () => request(user, { reason }),
      user.email,
      'deletion-requested',
    )
    expect(notice.text).toContain('http://localhost:3790/restore')
    const ended = { userId, keyIds: [key.keyId], reason: 'deletion_requested' }
    expect(told.filter(([, payload]) => (payload as { userId: string }).userId === userId)).toEqual(
      [
        ['auth.key.revoked', ended],
        ['auth.deletion.requested', { userId, purgeAtMillis: inDays(30).getTime() }],
      ],
    )
    const details = { purgeScheduledAt: inDays(30).toISOString(), reason: 'Too much mail .' }
    expect(await actsOf(userId)).toMatchObject([
      { act: 'deletion.requested', outcome: 'done', actor: userId, keyId: key.keyId, details },
    ])
  })
})

describe('an account whose deletion is pending', () => {
  it('is let in nowhere, and nothing that was under way goes on', async () => {
    const user = await auth.signedInUser()
    const { email, password } = user
    const { token } = (await auth.call('issueOneTimeToken', undefined, user.key)).body
    const device = await createTestKey()
    const { body: waiting } = await auth.call('startDeviceAuth', device.registration)
    const { userCode, deviceCode } = waiting
    await auth.call('getDeviceAuthInfo', { userCode }, user.key)
    expect(await auth.call('approveDeviceAuth', { userCode }, user.key)).toMatchObject({
      status: 200,
    })
    const early = await auth.verificationToken(email)
    await request(user)
    await auth.auth.db.delete(attempts)

    const { registration } = await createTestKey()
    const pending = refused(403, 'AccountPendingDeletionError')
    const login = (proof: object) => auth.call('login', { email, ...proof, ...registration })
    expect(await login({ password })).toMatchObject(pending)
    expect(await login({ password: wrong })).toMatchObject(refused(401, 'InvalidCredentialsError'))
    expect(await login({ verificationToken: early })).toMatchObject(
      refused(401, 'InvalidCredentialsError'),
    )
    const late = await auth.verificationToken(email)
    expect(await login({ verificationToken: late })).toMatchObject(pending)
    expect(await auth.call('pollDeviceAuth', { deviceCode })).toMatchObject(pending)
    const authorization = `OTT ${token}`
    expect((await auth.fetch('/handshake', { headers: { authorization } })).status).toBe(401)
    expect(await auth.keysOf(user.userId)).toMatchObject([{ state: 'revoked' }])
  })

  it('gets no mail to reset the password, and its address is still taken', async () => {
    const user = await auth.signedInUser()
    const { email, password } = user
    await auth.sentBy(() => request(user), email, 'deletion-requested')
    const before = (await auth.messagesTo(email)).length
    expect(await auth.call('requestPasswordReset', { email })).toMatchObject({ status: 200 })
    // The link of another user is mailed after this one was not.
    const other = await auth.createUser()
    const ask = () => auth.call('requestPasswordReset', { email: other.email })
    await auth.sentBy(ask, other.email, 'password-reset')
    expect(await auth.messagesTo(email)).toHaveLength(before)
    const verificationToken = await auth.verificationToken(email, 'registration')
    const { registration } = await createTestKey()
    const body = { email, password, verificationToken, ...registration }
    expect(await auth.call('register', body)).toMatchObject(
      refused(409, 'AccountAlreadyExistsError'),
    )
  })
})
