import { afterAll, describe, expect, it } from 'vitest'
import { reactivateUser } from '../../suspension/suspension.ts'
import { createTestKey, type TestKey, type TestUser } from '../../testing.ts'
import { clients, eachRound, startRace, times, withStatus } from './race.ts'
import { router, suspending } from './test-suspending.ts'

const { operation, race, raceBehind, ...auth } = await startRace({ router })
afterAll(() => auth.stop())

const enter = ({ email, password, key }: TestUser, next: TestKey, index: number) =>
  index % 2
    ? operation('rotateKey', next.registration, key)
    : operation('login', { email, password, ...next.registration })

describe('suspendUser', () => {
  it.each(['in any order', 'before all of them'])(
    'leaves no key of logins and rotations that race it, %s',
    (order) =>
      eachRound(async () => {
        const user = await auth.signedInUser()
        const { userId } = user
        const keys = await Promise.all(times(clients - 1, () => createTestKey()))
        const contestants = [suspending(user), ...keys.map((key, index) => enter(user, key, index))]
        const [suspended, ...entered] = await (order === 'in any order'
          ? race(contestants)
          : raceBehind([userId], contestants))

        expect(suspended?.status).toBe(200)
        for (const { status } of entered) expect([200, 401, 403]).toContain(status)
        if (order !== 'in any order') expect(withStatus(entered, 200)).toEqual([])
        const nobody = { active: [], answering: [] }
        expect(await auth.liveKeys(userId, [user.key, ...keys])).toEqual(nobody)
        await reactivateUser(userId)
        expect(await auth.liveKeys(userId, [user.key, ...keys])).toEqual(nobody)
      }),
  )
})
