import { afterAll, describe, expect, it } from 'vitest'
import {
  handled,
  refusal,
  said,
  unknown,
  waitingDevices,
} from '../../device/testing/test-waiting.ts'
import { reactivateUser } from '../../suspension/suspension.ts'
import { createTestKey, type TestKey, type TestUser } from '../../testing.ts'
import { clients, eachRound, startRace, times, withStatus } from './race.ts'
import { router, suspending } from './test-suspending.ts'

const { operation, race, raceBehind, ...auth } = await startRace({ router })
afterAll(() => auth.stop())
const { start, info, approvedBy, rowOf, poll } = waitingDevices(auth)

type Device = Awaited<ReturnType<typeof start>>
const polling = ({ deviceCode }: Device) => operation('pollDeviceAuth', { deviceCode })
const approving = ({ userCode }: Device, by: TestUser) =>
  operation('approveDeviceAuth', { userCode }, by.key)
const denying = ({ userCode }: Device, by: TestUser) =>
  operation('denyDeviceAuth', { userCode }, by.key)
const looking = ({ userCode }: Device, by: TestUser) =>
  operation('getDeviceAuthInfo', { userCode }, by.key)
const revoking = (by: TestUser, includeCurrent = false) =>
  operation('revokeAllKeys', { includeCurrent }, by.key)
const changing = ({ password, key }: TestUser) =>
  operation(
    'changePassword',
    { currentPassword: password, newPassword: 'another horse battery staple' },
    key,
  )
const expectLive = async (userId: string, keys: TestKey[], left: TestKey[]) => {
  const ids = left.map(({ keyId }) => keyId).toSorted()
  expect(await auth.liveKeys(userId, keys)).toEqual({ active: ids, answering: ids })
}

describe('pollDeviceAuth', () => {
  it('R1: signs one in when sixteen come for an approval; the others ask for an unknown code (A-107, A-108)', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const device = await approvedBy(user)
      const answers = await race(times(clients, () => polling(device)))

      expect(withStatus(answers, 200)).toHaveLength(1)
      const never = said(await poll({ deviceCode: 'no-such-code' }))
      expect(withStatus(answers, 404).map(said)).toEqual(times(clients - 1, () => never))
      await expectLive(user.userId, [user.key, device.key], [user.key, device.key])
    }))

  it('spends no approval of which another device registers the key first', () =>
    eachRound(async () => {
      const [user, other] = [await auth.signedInUser(), await auth.signedInUser()]
      const key = await createTestKey()
      const devices = [await start(key.registration), await start(key.registration)] as const
      await auth.call('approveDeviceAuth', { userCode: devices[0].userCode }, user.key)
      await auth.call('approveDeviceAuth', { userCode: devices[1].userCode }, other.key)
      const answers = await race(times(clients, (index) => polling(devices[index % 3 ? 1 : 0])))

      expect(withStatus(answers, 200)).toHaveLength(1)
      const states = [await rowOf(devices[0]), await rowOf(devices[1])].map(({ state }) => state)
      expect(states.toSorted()).toEqual(['approved', 'spent'])
      const loser = states.indexOf('approved')
      expect(refusal(await poll(devices[loser] as Device))).toBe('409 KeyIdAlreadyRegisteredError')
      const [winner, denied] = loser ? [user, other] : [other, user]
      await expectLive(winner.userId, [winner.key, key], [winner.key, key])
      expect(await auth.keysOf(denied.userId)).toHaveLength(1)
    }))

  it('notes one of sixteen that come at once while no device has decided', () =>
    eachRound(async () => {
      const device = await start()
      const answers = await race(times(clients, () => polling(device)))
      expect(withStatus(answers, 200)).toHaveLength(1)
      expect(withStatus(answers, 429)).toHaveLength(clients - 1)
    }))
})

describe('a decision', () => {
  it.each(['approve', 'deny'])(
    'is one when eight approve and eight %s, all of one account (A-106)',
    (others) =>
      eachRound(async () => {
        const user = await auth.signedInUser()
        const device = await start()
        const answers = await race(
          times(clients, (index) =>
            index % 2 && others === 'deny' ? denying(device, user) : approving(device, user),
          ),
        )

        const won = answers.filter(({ status }) => status < 300)
        expect(won).toHaveLength(1)
        expect(withStatus(answers, 409).map(refusal)).toEqual(times(clients - 1, () => handled))
        const { state } = await rowOf(device)
        expect(state).toBe(won[0]?.status === 200 ? 'approved' : 'denied')
        expect((await poll(device)).status).toBe(state === 'approved' ? 200 : 403)
      }),
  )

  it('R2: of two accounts is that of one, whose the key becomes (A-106)', () =>
    eachRound(async () => {
      const users = [await auth.signedInUser(), await auth.signedInUser()] as const
      const device = await start()
      const answers = await race(
        times(clients, (index) => {
          const by = users[index % 4 < 2 ? 0 : 1]
          return index % 3 ? approving(device, by) : denying(device, by)
        }),
      )

      const won = answers.findIndex(({ status }) => status < 300)
      const winner = won % 4 < 2 ? 0 : 1
      for (const [index, answer] of answers.entries()) {
        if (index === won) continue
        expect(refusal(answer)).toBe(index % 4 < 2 === (winner === 0) ? handled : unknown)
      }
      const { claimedBy, state } = await rowOf(device)
      expect(claimedBy).toBe(users[winner].userId)
      if (state === 'approved') {
        expect((await poll(device)).body).toMatchObject({ userId: users[winner].userId })
      }
    }))

  it('is left to the one account of sixteen that has looked first (A-110)', () =>
    eachRound(async () => {
      const users = await Promise.all(times(clients, () => auth.signedInUser()))
      const device = await start()
      const answers = await race(users.map((user) => looking(device, user)))
      expect(withStatus(answers, 200)).toHaveLength(1)
      expect(withStatus(answers, 404).map(refusal)).toEqual(times(clients - 1, () => unknown))
      const { claimedBy } = await rowOf(device)
      expect(claimedBy).toBe(users[answers.findIndex(({ status }) => status === 200)]?.userId)
    }))
})

const ends = { revokeAllKeys: revoking, changePassword: changing }

describe.each(Object.entries(ends))('%s', (name, end) => {
  const row = name === 'revokeAllKeys' ? 'R6: ' : ''
  it(`${row}leaves no key of devices that come for their approval meanwhile (A-109)`, () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const devices = await Promise.all(times(5, () => approvedBy(user)))
      const polls = times(clients - 1, (index) => polling(devices[index % 5] as Device))
      const answers = await race([end(user), ...polls])

      expect(answers[0]?.status).toBeLessThan(300)
      const keys = devices.map(({ key }) => key)
      await expectLive(user.userId, [user.key, ...keys], [user.key])
      for (const device of devices) {
        expect(await rowOf(device)).toMatchObject({
          state: expect.stringMatching(/^(?:refused|spent)$/),
        })
        expect([403, 404]).toContain((await poll(device)).status)
      }
    }))

  it('comes before the polls that are behind it, and refuses them all (A-109)', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const device = await approvedBy(user)
      const polls = times(clients - 1, () => polling(device))
      const [ended, ...answers] = await raceBehind([user.userId], [end(user), ...polls])
      expect(ended?.status).toBeLessThan(300)
      expect(withStatus(answers, 403)).toHaveLength(clients - 1)
      await expectLive(user.userId, [user.key, device.key], [user.key])
    }))
})

describe('revokeAllKeys', () => {
  it('R7: is the last that an approver’s key could do: no approval of it comes after (A-109)', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const thief = { ...user, key: await auth.signIn(user) }
      const devices = await Promise.all(times(clients - 1, () => start()))
      for (const device of devices.slice(0, 5)) await info(device, user)
      const [ended, ...answers] = await raceBehind(
        [user.userId],
        [revoking(user), ...devices.map((device) => approving(device, thief))],
      )

      expect(ended?.status).toBe(200)
      expect(withStatus(answers, 401)).toHaveLength(clients - 1)
      for (const device of devices) {
        const { state } = await rowOf(device)
        expect(state).toMatch(/^(?:refused|pending)$/)
      }
    }))

  it.each([false, true])(
    'leaves no key of what is approved and collected meanwhile (its own: %s) (A-109)',
    (includeCurrent) =>
      eachRound(async () => {
        const user = await auth.signedInUser()
        const approver = { ...user, key: await auth.signIn(user) }
        const devices = await Promise.all(times(5, () => start()))
        const answers = await race([
          revoking(user, includeCurrent),
          ...devices.map((device) => approving(device, approver)),
          ...devices.map(polling),
          ...devices.map(polling),
        ])

        expect(answers[0]?.status).toBe(200)
        for (const device of devices) await poll(device)
        const keys = devices.map(({ key }) => key)
        const left = includeCurrent ? [] : [user.key]
        await expectLive(user.userId, [user.key, approver.key, ...keys], left)
      }),
  )
})

describe('suspendUser', () => {
  it('R4: leaves no key of the devices that come for their approval', () =>
    eachRound(async (round) => {
      const user = await auth.signedInUser()
      const devices = await Promise.all(times(5, () => approvedBy(user)))
      const polls = times(clients - 1, (index) => polling(devices[index % 5] as Device))
      const contestants = [suspending(user), ...polls]
      // In any order, and with the suspension before all others.
      const isFirst = round % 2 === 0
      const [suspended, ...answers] = await (isFirst
        ? raceBehind([user.userId], contestants)
        : race(contestants))

      expect(suspended?.status).toBe(200)
      for (const { status } of answers) expect([200, 403, 404]).toContain(status)
      if (isFirst) {
        const codes = withStatus(answers, 403).map(refusal)
        expect(codes).toEqual(times(clients - 1, () => '403 AccountDisabledError'))
      }
      const keys = [user.key, ...devices.map(({ key }) => key)]
      await expectLive(user.userId, keys, [])
      await reactivateUser(user.userId)
      for (const device of devices) expect((await poll(device)).status).not.toBe(200)
      await expectLive(user.userId, keys, [])
    }))
})
