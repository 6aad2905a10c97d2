import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { deletionCancelledEvent } from '../events.ts'
import { attempts } from '../limits/schema.ts'
import { refused } from '../test-answers.ts'
import { createTestKey, startTestAuth, type TestAnswer } from '../testing.ts'
import { deletionOf } from './testing/deletion.ts'

const auth = await startTestAuth({ env: { SVC_RATE_LIMIT: 'on' } })
afterAll(() => auth.stop())
const { request, cancel, accountOf, statusOf, set, actsOf } = deletionOf(auth)
beforeEach(() => auth.auth.db.delete(attempts))

const told: unknown[] = []
deletionCancelledEvent.subscribe(({ userId }) => void told.push(userId))

const wrong = 'not the password at all'
const unknown = refused(401, 'InvalidCredentialsError')

async function closedUser() {
  const user = await auth.signedInUser()
  await request(user)
  return user
}

async function login({ email, password }: { email: string; password: string }) {
  return auth.call('login', { email, password, ...(await createTestKey()).registration })
}

/** A refusal without what no two answers have in common. */
const bytes = ({ status, body, headers }: TestAnswer) =>
  JSON.stringify([status, body, [...headers.keys()]]).replaceAll(body.error.requestId, '')

describe('cancelAccountDeletion', () => {
  it('restores the account, on devices that stay signed out (A-047, A-161)', async () => {
    const user = await closedUser()
    const { email, password } = user
    const answer = await cancel({ email: ` ${email.toUpperCase()} `, password })
    expect([answer.status, answer.body]).toEqual([204, undefined])
    expect(await accountOf(user.userId)).toMatchObject({ status: 'active', purgeAt: null })
    expect(await auth.call('getAuthSession', undefined, user.key)).toMatchObject({ status: 401 })
    expect(await login(user)).toMatchObject({ status: 200 })
  })

  it('takes a number, and a code of its own purpose, once (A-162)', async () => {
    const { userId } = await closedUser()
    const phone = '+12025550188'
    await set(userId, { phone, passwordHash: null })
    const forLogin = await auth.verificationToken(phone, 'login')
    expect(await cancel({ phone, verificationToken: forLogin })).toMatchObject(
      refused(400, 'VerificationTokenPurposeMismatchError'),
    )
    const verificationToken = await auth.verificationToken(phone, 'account_deletion')
    expect(await cancel({ phone, verificationToken })).toMatchObject({ status: 204 })
    expect(await statusOf(userId)).toBe('active')
    expect(await cancel({ phone, verificationToken })).toMatchObject(
      refused(400, 'InvalidVerificationTokenError'),
    )
  })

  it('takes no code from before the request, and no code that went elsewhere', async () => {
    const user = await auth.signedInUser()
    const older = await auth.verificationToken(user.email, 'account_deletion')
    const other = await auth.createUser()
    const foreign = await auth.verificationToken(other.email, 'account_deletion')
    await request(user)
    const { email } = user
    expect(await cancel({ email, verificationToken: older })).toMatchObject(unknown)
    expect(await cancel({ email, verificationToken: foreign })).toMatchObject(
      refused(400, 'VerificationTokenTargetMismatchError'),
    )
    expect(await statusOf(user.userId)).toBe('pending_deletion')
  })

  it('answers the same when it is sent again, and does not sign in', async () => {
    const user = await closedUser()
    const { email, password } = user
    expect(await cancel({ email, password })).toMatchObject({ status: 204 })
    expect(await cancel({ email, password })).toMatchObject({ status: 204 })
    expect(told.filter((userId) => userId === user.userId)).toHaveLength(1)
    expect((await auth.keysOf(user.userId)).map(({ state }) => state)).toEqual(['revoked'])
  })

  it('answers a caller who does not know the password the same for every account and none', async () => {
    const closed = await closedUser()
    const active = await auth.createUser()
    const suspended = await auth.createUser()
    await set(suspended.userId, { status: 'suspended' })
    const social = await closedUser()
    await set(social.userId, { passwordHash: null })
    const due = await closedUser()
    await set(due.userId, { purgeAt: auth.clock.now() })
    const answers = [
      await cancel({ email: 'nobody@example.com', password: wrong }),
      await cancel({ email: closed.email, password: wrong }),
      await cancel({ email: active.email, password: wrong }),
      await cancel({ email: suspended.email, password: wrong }),
      await cancel({ email: social.email, password: social.password }),
      // With its own password: its time has come.
      await cancel({ email: due.email, password: due.password }),
    ]
    expect(answers[0]).toMatchObject(unknown)
    expect(new Set(answers.map(bytes)).size).toBe(1)
    const nobody = await auth.verificationToken('nobody@example.com', 'account_deletion')
    const byCode = await cancel({ email: 'nobody@example.com', verificationToken: nobody })
    expect(bytes(byCode)).toBe(bytes(answers[0] as TestAnswer))
  })

  it('tells of a suspension who has the password', async () => {
    const { userId, email, password } = await auth.createUser()
    await set(userId, { status: 'suspended' })
    expect(await cancel({ email, password })).toMatchObject(refused(403, 'AccountDisabledError'))
    expect(await statusOf(userId)).toBe('suspended')
  })

  it('asks for one identifier and one proof (A-162)', async () => {
    const { email, password } = await closedUser()
    for (const body of [
      { password },
      { email },
      { email, phone: '+12025550100', password },
      { email, password, verificationToken: 'x' },
    ]) {
      expect(await cancel(body)).toMatchObject(refused(400, 'ValidationError'))
    }
  })

  it('shares its limit with signing in: a guess at one counts at the other', async () => {
    const user = await closedUser()
    const { email, password } = user
    for (let count = 0; count < 5; count++) {
      await cancel({ email, password: wrong })
      await login({ email, password: wrong })
    }
    const tooMany = refused(429, 'TooManyRequestsError')
    expect(await cancel({ email, password })).toMatchObject(tooMany)
    expect(await login(user)).toMatchObject(tooMany)
    auth.clock.advance('1m')
    expect(await cancel({ email, password })).toMatchObject({ status: 204 })
  })

  it('tells the application, the trail and the owner', async () => {
    const { userId, email, password } = await closedUser()
    await cancel({ email, password: wrong })
    const notice = await auth.sentBy(() => cancel({ email, password }), email, 'deletion-cancelled')
    expect(notice.text).toContain('cancelled')
    expect(told.filter((each) => each === userId)).toHaveLength(1)
    expect((await actsOf(userId)).slice(1)).toMatchObject([
      { act: 'deletion.cancelled', outcome: 'refused', actor: null, target: userId },
      { act: 'deletion.cancelled', outcome: 'done', actor: userId, address: '127.0.0.1' },
    ])
  })
})
