import type { TestServer } from '@svc/core/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { orders, refundBy, refunded } from '../../approvals/testing/test-orders.ts'
import { machineOf } from '../../machine-keys/testing/machines.ts'
import { done } from '../../test-answers.ts'
import type { TestKey, TestUser } from '../../testing.ts'
import { clients, eachRound, startRace, times, withStatus } from './race.ts'

const auth = await startRace(orders)
afterAll(() => auth.stop())
const { race } = auth

const asking = (key: TestKey, amount: number) => (at: TestServer) => {
  const body = JSON.stringify({ amount })
  const request = { method: 'POST', url: `${at.url}/orders/7/refund`, body }
  return auth
    .signerOf(key)(request)
    .then((signed) => ({
      ...request,
      headers: { 'content-type': 'application/json', ...signed },
    }))
}

const deciding = ({ key }: TestUser, name: 'approveCall' | 'refuseCall', approvalId: string) =>
  auth.operation(name, {}, key, { params: { approvalId } })

/** A machine whose call waits for its owner. */
async function waiting() {
  const user = await auth.signedInUser()
  const key = await machineOf(auth, user, { permissions: ['order:refund'] })
  const { body } = await refundBy(auth, key, { amount: 5 })
  return { user, key, approvalId: body.approvalId as string }
}

describe('a call that the owner of an account has to approve', () => {
  it('R55: is made once, of sixteen at once that one approval is for', () =>
    eachRound(async () => {
      const { user, key, approvalId } = await waiting()
      const params = { approvalId }
      await done(auth.call('approveCall', {}, user.key, { params }))
      refunded.length = 0
      const answers = await race(times(clients, () => asking(key, 5)))
      expect(withStatus(answers, 200)).toHaveLength(1)
      expect(refunded).toEqual(['7: 5'])
    }))

  it('is asked of the owner once, of sixteen at once (R55)', () =>
    eachRound(async () => {
      const { user, key } = await waiting()
      const answers = await race(times(clients, () => asking(key, 6)))
      const ids = answers.map(({ body }) => body.approvalId)
      expect(new Set(ids).size).toBe(1)
      const { approvals } = await done(auth.call('listApprovals', undefined, user.key))
      expect(approvals).toHaveLength(2)
    }))

  it('is either approved or refused, of sixteen decisions at once (R55)', () =>
    eachRound(async () => {
      const { user, key, approvalId } = await waiting()
      refunded.length = 0
      const answers = await race(
        times(clients, (at) => deciding(user, at % 2 ? 'approveCall' : 'refuseCall', approvalId)),
      )
      expect(withStatus(answers, 204)).toHaveLength(1)
      const isApproved = answers.findIndex(({ status }) => status === 204) % 2 === 1
      const { status } = await refundBy(auth, key, { amount: 5 })
      expect(status).toBe(isApproved ? 200 : 403)
      expect(refunded).toEqual(isApproved ? ['7: 5'] : [])
    }))

  it('is made no more than once while the owner approves it (R55)', () =>
    eachRound(async () => {
      const { user, key, approvalId } = await waiting()
      refunded.length = 0
      await race([
        deciding(user, 'approveCall', approvalId),
        ...times(clients - 1, () => asking(key, 5)),
      ])
      expect(refunded.length).toBeLessThanOrEqual(1)
    }))
})
