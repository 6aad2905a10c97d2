import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import type { AccountStatus } from '../accounts/accounts.ts'
import { users } from '../accounts/schema.ts'
import { deviceRegisteredEvent, loginEvent } from '../events.ts'
import { stepsOf } from '../links/testing/links.ts'
import { reactivateUser, suspendUser } from '../suspension/suspension.ts'
import { createTestKey, startTestAuth, type TestUser } from '../testing.ts'
import { denied, expired, refusal, said, unknown, waitingDevices } from './testing/test-waiting.ts'

const auth = await startTestAuth()
afterAll(() => auth.stop())
const { start, info, approve, deny, poll, approvedBy, rowOf } = waitingDevices(auth)
const { db } = auth.auth

const session = (key: Parameters<typeof auth.call>[2]) =>
  auth.call('getAuthSession', undefined, key)
const setStatus = (userId: string, status: AccountStatus) =>
  db.update(users).set({ status }).where(eq(users.userId, userId))

describe('pollDeviceAuth', () => {
  it('answers pending and how often to ask, until a user decides (A-187)', async () => {
    const user = await auth.signedInUser()
    const device = await start()
    const pending = { status: 'pending', intervalMillis: 5_000 }
    expect((await poll(device)).body).toEqual(pending)
    await info(device, user)
    auth.clock.advance('5s')
    expect((await poll(device)).body).toEqual(pending)
  })

  it('registers the device’s key under the approver’s account, and hands nothing over (A-107, A-131, A-188, A-194)', async () => {
    const user = await auth.signedInUser()
    const device = await start({ deviceName: 'Television', platform: 'desktop' })
    const told: unknown[] = []
    const ends = [loginEvent, deviceRegisteredEvent].map((event) =>
      event.subscribe((payload) => void told.push(payload)),
    )
    await approve(device, user)
    expect((await session(device.key)).status).toBe(401)

    const { status, body } = await poll(device)
    const { userId, publicId, email } = user
    const { keyId } = device.key
    expect([status, body]).toEqual([
      200,
      {
        status: 'approved',
        knownBrowser: expect.any(String),
        mfaRequired: false,
        userId,
        publicId,
        email,
        passwordChangeRequired: false,
      },
    ])
    expect((await session(device.key)).body).toMatchObject({ userId, keyId })
    expect(await rowOf(device)).toMatchObject({ state: 'spent' })
    expect(told).toMatchObject([
      { userId, keyId, deviceName: 'Television', channel: 'pollDeviceAuth' },
      { userId, keyId, provider: 'device', mfa: 'none' },
    ])
    for (const end of ends) end()
  })

  it('answers the phone and what is due of the account, and no second factor (A-188)', async () => {
    const user = await auth.signedInUser()
    const device = await approvedBy(user)
    const changes = {
      phone: '+4915112345678',
      email: null,
      passwordChangeRequired: true,
      secondFactorSince: auth.clock.now(),
    }
    await db.update(users).set(changes).where(eq(users.userId, user.userId))
    const { body } = await poll(device)
    expect(body).toEqual({
      status: 'approved',
      knownBrowser: expect.any(String),
      mfaRequired: false,
      userId: user.userId,
      publicId: user.publicId,
      phone: '+4915112345678',
      passwordChangeRequired: true,
    })
    expect((await session(device.key)).status).toBe(200)
  })

  it('answers a code that was used as one that never was, also when its time is long over (A-108)', async () => {
    const user = await auth.signedInUser()
    const device = await approvedBy(user)
    expect((await poll(device)).status).toBe(200)
    const never = said(await poll({ deviceCode: 'no-such-code' }))
    expect(never).toMatch(/^404 .*DeviceAuthNotFoundError/)
    expect(said(await poll(device))).toBe(never)
    auth.clock.advance('1d')
    expect(said(await poll(device))).toBe(never)
  })

  it('refuses what was denied (A-112)', async () => {
    const user = await auth.signedInUser()
    const device = await start()
    await deny(device, user)
    expect(refusal(await poll(device))).toBe(denied)
    expect(refusal(await poll(device))).toBe(denied)
    expect(await auth.keysOf(user.userId)).toHaveLength(1)
  })

  it('uses the server’s time: after its end no request signs in, in any state (A-111, A-112, A-195)', async () => {
    const user = await auth.signedInUser()
    const devices = [await start(), await approvedBy(user), await start(), await approvedBy(user)]
    await deny(devices[2] as (typeof devices)[0], user)
    await auth.call('revokeAllKeys', {}, user.key)
    const late = await approvedBy(user)
    auth.clock.advance(599_999)
    expect((await poll(late)).status).toBe(200)
    const last = await start()
    auth.clock.advance(1)
    for (const device of devices) expect(refusal(await poll(device))).toBe(expired)
    expect((await poll(last)).body).toMatchObject({ status: 'pending' })
    expect(await auth.keysOf(user.userId)).toHaveLength(2)
  })
})

describe('polls that come too often', () => {
  it('are told when to come again, and the decision is told at once', async () => {
    const user = await auth.signedInUser()
    const device = await start()
    expect((await poll(device)).status).toBe(200)
    auth.clock.advance(1_500)
    const soon = await poll(device)
    expect(refusal(soon)).toBe('429 TooManyRequestsError')
    expect([soon.headers.get('retry-after'), soon.body.retryAfter]).toEqual(['4', 4])
    // One that was refused does not put the next one off.
    auth.clock.advance(3_499)
    expect((await poll(device)).status).toBe(429)
    auth.clock.advance(1)
    expect((await poll(device)).status).toBe(200)
    await approve(device, user)
    expect((await poll(device)).body).toMatchObject({ status: 'approved' })
  })
})

describe('an account that may not sign in', () => {
  it.each([
    ['suspended', '403 AccountDisabledError'],
    ['pending_deletion', '403 AccountPendingDeletionError'],
  ] as const)(
    'is refused as login refuses it, and the approval stays: %s',
    async (status, refused) => {
      const user = await auth.signedInUser()
      const device = await approvedBy(user)
      const before = await rowOf(device)
      await setStatus(user.userId, status)
      expect(refusal(await poll(device))).toBe(refused)
      expect(refusal(await poll(device))).toBe(refused)
      const { email, password } = user
      const { registration } = await createTestKey()
      expect(refusal(await auth.call('login', { email, password, ...registration }))).toBe(refused)
      expect(await rowOf(device)).toEqual(before)
      expect((await session(device.key)).status).toBe(401)
      await setStatus(user.userId, 'active')
      expect((await poll(device)).status).toBe(200)
    },
  )

  it('is told the same by its suspension, which signs it out everywhere', async () => {
    const user = await auth.signedInUser()
    const [approved, shown] = [await approvedBy(user), await start()]
    await info(shown, user)
    await suspendUser(user.userId)
    expect(refusal(await poll(approved))).toBe('403 AccountDisabledError')
    // This one was not approved, so it is told nothing of the account.
    expect(refusal(await poll(shown))).toBe(denied)
    await reactivateUser(user.userId)
    expect(refusal(await poll(approved))).toBe(denied)
    expect((await session(approved.key)).status).toBe(401)
  })

  it('is no more told of than a denial when it is deleted', async () => {
    const user = await auth.signedInUser()
    const device = await approvedBy(user)
    await setStatus(user.userId, 'deleted')
    expect(refusal(await poll(device))).toBe(denied)
  })
})

const newPassword = 'another horse battery staple'
const reset = stepsOf(auth, 'reset')
const ends: Record<string, (user: TestUser) => Promise<number>> = {
  revokeAllKeys: async ({ key }) => (await auth.call('revokeAllKeys', {}, key)).status,
  'revokeAllKeys, its own too': async ({ key }) =>
    (await auth.call('revokeAllKeys', { includeCurrent: true }, key)).status,
  changePassword: async ({ key, password: currentPassword }) =>
    (await auth.call('changePassword', { currentPassword, newPassword }, key)).status,
  completePasswordReset: async ({ email }) =>
    (await reset.finish(await reset.secret(email))).status,
}

describe.each(Object.entries(ends))('%s', (_name, end) => {
  it('refuses the devices that the account has looked at or approved (A-109, A-110)', async () => {
    const user = await auth.signedInUser()
    const other = await auth.signedInUser()
    const [approved, shown, free, theirs, over] = [
      await approvedBy(user),
      await start(),
      await start(),
      await approvedBy(other),
      await start(),
    ]
    await info(shown, user)
    await deny(over, user)
    expect(await end(user)).toBeLessThan(300)

    for (const device of [approved, shown]) {
      expect(await rowOf(device)).toMatchObject({ state: 'refused', claimedBy: user.userId })
      expect(refusal(await poll(device))).toBe(denied)
      expect((await session(device.key)).status).toBe(401)
    }
    expect(await rowOf(over)).toMatchObject({ state: 'denied' })
    expect(await rowOf(free)).toMatchObject({ state: 'pending' })
    expect((await poll(theirs)).status).toBe(200)
  })
})

describe('what ends one key', () => {
  it('does not touch the devices that wait (A-113)', async () => {
    const user = await auth.signedInUser()
    const [device, second] = [await auth.signIn(user), await auth.signIn(user)]
    const waiting = [await approvedBy(user), await approvedBy(user), await approvedBy(user)]
    const shown = await start()
    await info(shown, user)
    const next = await createTestKey()
    expect((await auth.call('rotateKey', next.registration, user.key)).status).toBe(200)
    expect((await auth.call('revokeKey', { keyId: second.keyId }, next)).status).toBe(200)
    expect((await auth.call('logout', undefined, device)).status).toBe(204)
    for (const each of waiting) expect((await poll(each)).status).toBe(200)
    expect((await approve(shown, { key: next })).status).toBe(200)
    expect((await auth.call('logout', undefined, next)).status).toBe(204)
    expect((await poll(shown)).status).toBe(200)
  })
})

it('a device code that is not one is unknown', async () => {
  const { userCode, key } = await start()
  for (const deviceCode of ['', userCode, key.keyId]) {
    expect(refusal(await poll({ deviceCode }))).toBe(unknown)
  }
})
