import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { deviceRequests } from '../../device/schema.ts'
import { expired, refusal, waitingDevices } from '../../device/testing/test-waiting.ts'
import { clients, eachRound, startRace, times } from './race.ts'

const { operation, raceBehind, ...auth } = await startRace()
afterAll(() => auth.stop())
const { start, approvedBy, rowOf } = waitingDevices(auth)
const { db } = auth.auth

describe('a device request whose time ends while sixteen wait for the account', () => {
  it('R3: is decided by none of them, and signs none in', () =>
    eachRound(async (round) => {
      const user = await auth.signedInUser()
      const isApproved = round % 2 === 0
      const device = await (isApproved ? approvedBy(user) : start())
      const { userCode, deviceCode } = device
      const expiresAt = new Date(auth.clock.now().getTime() + 1000)
      await db
        .update(deviceRequests)
        .set({ expiresAt })
        .where(eq(deviceRequests.userCode, userCode))
      const contestants = times(clients, (index) => {
        if (isApproved) return operation('pollDeviceAuth', { deviceCode })
        const decision = index % 2 ? 'approveDeviceAuth' : 'denyDeviceAuth'
        return operation(decision, { userCode }, user.key)
      })
      const answers = await raceBehind([user.userId], contestants, () => {
        for (const { clock } of auth.instances) clock.set(expiresAt)
      })

      expect(answers.map(refusal)).toEqual(times(clients, () => expired))
      expect(await rowOf(device)).toMatchObject({ state: isApproved ? 'approved' : 'pending' })
      expect(await auth.keysOf(user.userId)).toHaveLength(1)
    }))
})
