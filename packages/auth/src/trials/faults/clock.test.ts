import { afterAll, describe, expect, it } from 'vitest'
import { waitingDevices } from '../../device/testing/test-waiting.ts'
import { stepsOf } from '../../links/testing/links.ts'
import { enrolledUser, withKeyring } from '../../mfa/testing/test-second-factor.ts'
import { createTestKey, startTestAuth } from '../../testing.ts'

const auth = await startTestAuth({ env: withKeyring() })
const other = await auth.secondInstance()
afterAll(() => auth.stop())
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const statusOf = async (...call: Parameters<typeof auth.call>) => (await auth.call(...call)).status

/** Everything that has a time to live, made now. */
async function perishables() {
  const user = await auth.signedInUser()
  const reset = stepsOf(auth, 'reset')
  const { email } = await auth.createUser()
  const devices = waitingDevices(auth)
  const code = await auth.requestCode(email)
  const verificationToken = await auth.verificationToken((await auth.createUser()).email)
  return {
    key: () => statusOf('getAuthSession', undefined, user.key),
    link: async (token = '') => (await reset.open(token)).status,
    token: await reset.token(email),
    code: () =>
      statusOf('verifyCode', { target: email, targetType: 'email', purpose: 'login', code }),
    verificationToken,
    device: await devices.start(),
    devices,
  }
}

describe('F15: a clock that is wrong', () => {
  it('ninety-one days ahead at once: every credential is over, and none revives ten minutes back', async () => {
    const made = await perishables()
    const login = async () => {
      const { registration } = await createTestKey()
      return statusOf('login', {
        email: 'a@example.com',
        verificationToken: made.verificationToken,
        ...registration,
      })
    }
    const all = async () => [
      await made.key(),
      await made.link(made.token),
      await made.code(),
      await login(),
      (await made.devices.poll(made.device)).status,
    ]
    expect(await made.key()).toBe(200)
    auth.clock.advance(91 * day)
    const over = [401, 401, 400, 400, 400]
    expect(await all()).toEqual(over)
    auth.clock.advance(-10 * minute)
    expect(await all()).toEqual(over)
  }, 60_000)

  it('nothing that was spent or revoked is good again when time goes back', async () => {
    const user = await auth.signedInUser()
    const reset = stepsOf(auth, 'reset')
    const token = await reset.token(user.email)
    auth.clock.advance(5 * minute)
    expect((await reset.open(token)).status).toBe(200)
    expect(await statusOf('logout', undefined, user.key)).toBe(204)
    auth.clock.advance(-10 * minute)
    expect((await reset.open(token)).status).toBe(401)
    expect(await statusOf('getAuthSession', undefined, user.key)).toBe(401)
    auth.clock.advance(10 * minute)
  })

  it('an instance two hours off takes no request of ours, and gives none of its credentials a longer life', async () => {
    const user = await auth.signedInUser()
    for (const off of [2 * hour, -2 * hour]) {
      other.clock.set(new Date(auth.clock.now().getTime() + off))
      const answer = await auth.call('getAuthSession', undefined, user.key, { at: other })
      expect(answer.status).toBe(401)
    }
    other.clock.set(auth.clock.now())
    expect((await auth.call('getAuthSession', undefined, user.key, { at: other })).status).toBe(200)
    const [row] = await auth.keysOf(user.userId)
    expect(row?.expiresAt.getTime()).toBeLessThanOrEqual(auth.clock.now().getTime() + 90 * day)
  })

  it('a code of an authenticator app is good one step off, and no further', async () => {
    const user = await enrolledUser(auth)
    const step = (offMillis: number) =>
      statusOf('mfaStepUp', { code: user.codeAt(offMillis) }, user.key)
    auth.clock.advance(5 * minute)
    expect([await step(-60_000), await step(60_000)]).toEqual([401, 401])
    expect([await step(-30_000), await step(30_000)]).toEqual([204, 204])
  })
})
