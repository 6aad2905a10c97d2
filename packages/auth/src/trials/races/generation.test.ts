import { afterAll, describe, expect, it } from 'vitest'
import { waitingDevices } from '../../device/testing/test-waiting.ts'
import { createRevokeAllLink } from '../../revoke-all/revoke-all.ts'
import { createTestKey, type TestKey, type TestUser } from '../../testing.ts'
import { eachRound, startRace, times, withStatus } from './race.ts'

const { operation, race, raceBehind, ...auth } = await startRace()
afterAll(() => auth.stop())
const { approvedBy } = waitingDevices(auth)

const newKeys = () => Promise.all(times(4, () => createTestKey()))
const change = ({ password, key }: TestUser) =>
  operation('changePassword', { currentPassword: password, newPassword: 'a new pass phrase' }, key)
const close = ({ password, key }: TestUser) =>
  operation('requestAccountDeletion', { password }, key)

/** Whatever would put a key under the account, with the keys that it would put there. */
async function entrances(user: TestUser, rotating: TestKey) {
  const { email, password } = user
  const [logins, rotations] = [await newKeys(), await newKeys()]
  const devices = await Promise.all(times(4, () => approvedBy(user)))
  const contestants = [
    ...logins.map(({ registration }) => operation('login', { email, password, ...registration })),
    ...rotations.map(({ registration }) => operation('rotateKey', registration, rotating)),
    ...devices.map(({ deviceCode }) => operation('pollDeviceAuth', { deviceCode })),
  ]
  return { contestants, keys: [...logins, ...rotations, ...devices.map(({ key }) => key)] }
}

describe('a password that is changed, and an account that is closed', () => {
  it('R9: leaves no key that signs in, rotates, or comes for an approval meanwhile', () =>
    eachRound(async (round) => {
      const user = await auth.signedInUser()
      const rotating = await auth.signIn(user)
      const { contestants, keys } = await entrances(user, rotating)
      const isChange = round % 2 === 0
      const end = isChange ? change(user) : close(user)
      const { url } = await createRevokeAllLink(user.userId)
      const token = new URL(url).searchParams.get('token')
      const links = times(3, () => operation('consumeRevokeAllLink', { token }))
      // In any order, and with the end before all others, and a link that would sign out what was just kept.
      const isFirst = round % 4 < 2
      const [ended, ...others] = await (isFirst
        ? raceBehind([user.userId], [end, ...contestants, ...links])
        : race([end, ...contestants]))

      expect(ended?.status).toBeLessThan(300)
      if (isFirst) expect(withStatus(others, 200)).toEqual([])
      const live = isChange ? [user.key.keyId] : []
      expect(await auth.liveKeys(user.userId, [user.key, rotating, ...keys])).toEqual({
        active: live,
        answering: live,
      })
    }))
})
