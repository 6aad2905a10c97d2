import { route, t } from '@svc/core'
import { bytesBody } from '@svc/core/contract'
import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { allow } from '../application/application.ts'
import { auditEvents } from '../audit/schema.ts'
import { issueLegacyToken } from '../authenticate/authenticate.ts'
import { machineOf } from '../machine-keys/testing/machines.ts'
import { sessionOf } from '../support/testing/support.ts'
import { done, refused } from '../test-answers.ts'
import { startTestAuth, type TestUser } from '../testing.ts'
import { approvalChangedEvent } from './events.ts'
import { approvals } from './schema.ts'
import { orders, refundBy, refunded, refundingAgent } from './testing/test-orders.ts'

const auth = await startTestAuth({
  ...orders,
  env: { SVC_AUTH_JWT_SECRET: 'a legacy secret of at least 32 characters' },
})
afterAll(() => auth.stop())
const { call, clock } = auth
const { db } = auth.auth

beforeEach(() => {
  refunded.length = 0
})

const minute = 60_000
const required = refused(403, 'ApprovalRequiredError')
const notFound = refused(404, 'ApprovalNotFoundError')

const waitingFor = async ({ key }: Pick<TestUser, 'key'>) =>
  (await done(call('listApprovals', undefined, key))).approvals
const decide = (
  user: Pick<TestUser, 'key'>,
  approvalId: string,
  decision: 'approveCall' | 'refuseCall' = 'approveCall',
) => call(decision, {}, user.key, { params: { approvalId } })

/** A machine of a user who has signed in, and its call that waits. */
async function waitingMachine(body: object = { amount: 5 }) {
  const user = await auth.signedInUser()
  const key = await machineOf(auth, user, { permissions: ['order:refund'] })
  const again = (other: object = body) => refundBy(auth, key, other)
  const answer = await again()
  expect(answer).toMatchObject(required)
  return { user, key, again, approvalId: answer.body.approvalId as string }
}

const trailOf = async (target: string) =>
  (
    await db
      .select({ act: auditEvents.act, details: auditEvents.details })
      .from(auditEvents)
      .where(eq(auditEvents.target, target))
      .orderBy(auditEvents.auditId)
  ).map(({ act, details }) => ({ act, details }))

describe('a call that the owner has to approve', () => {
  it('is refused and listed, is let in once it is approved, and no more than once', async () => {
    const { user, again, approvalId } = await waitingMachine({ amount: 5, note: 'Broken' })
    expect(refunded).toEqual([])
    expect(await waitingFor(user)).toMatchObject([
      {
        approvalId,
        asker: { kind: 'machine' },
        operation: 'POST /orders/:id/refund',
        title: 'Refund an order',
        given: { id: '7', amount: 5, note: 'Broken' },
      },
    ])
    expect(await decide(user, approvalId)).toMatchObject({ status: 204 })
    expect(await waitingFor(user)).toEqual([])
    expect(await again()).toMatchObject({ status: 200 })
    expect(refunded).toEqual(['7: 5'])
    expect(await again()).toMatchObject(required)
    expect(refunded).toEqual(['7: 5'])
  })

  it('says where the owner decides, and until when', async () => {
    const { approvalId, again } = await waitingMachine()
    const { body } = await again()
    expect(body).toMatchObject({
      approvalId,
      approveUrl: `http://localhost:3790/account/approvals?id=${approvalId}`,
      message: expect.stringContaining('Send the same call again once they have.'),
    })
    expect(body.expiresAtMillis).toBe(clock.now().getTime() + 10 * minute)
  })

  it('is asked once, however often it is sent', async () => {
    const { user, again, approvalId } = await waitingMachine()
    await again()
    // The order of members says nothing.
    await again({ amount: 5 })
    expect(await waitingFor(user)).toMatchObject([{ approvalId }])
  })

  it('is approved with its values alone: another value, path or caller is another call', async () => {
    const { user, key, again, approvalId } = await waitingMachine()
    await done(decide(user, approvalId))
    expect(await again({ amount: 6 })).toMatchObject(required)
    expect(await again({ amount: 5, note: '' })).toMatchObject(required)
    const path = '/orders/8/refund'
    expect(await refundBy(auth, key, { amount: 5 }, { path })).toMatchObject(required)
    const other = await machineOf(auth, user, { permissions: ['order:refund'] })
    expect(await refundBy(auth, other, { amount: 5 })).toMatchObject(required)
    expect(refunded).toEqual([])
    expect(await again()).toMatchObject({ status: 200 })
  })

  it('is for one operation: another one with the same values is another call', async () => {
    const user = await auth.signedInUser()
    const key = await machineOf(auth, user, { permissions: ['order:refund'] })
    const send = (path: string) => refundBy(auth, key, { amount: 5 }, { path })
    const { body } = await send('/orders/7/refund')
    await done(decide(user, body.approvalId))
    expect(await send('/orders/7/credit')).toMatchObject(required)
    expect(refunded).toEqual([])
  })

  it('tells values of one name in two parts of a request apart', async () => {
    const user = await auth.signedInUser()
    const key = await machineOf(auth, user)
    const send = (id: string, path: string) => refundBy(auth, key, { id }, { path })
    const { body } = await send('a', '/twice/b')
    expect(await waitingFor(user)).toMatchObject([
      { given: { params: { id: 'b' }, body: { id: 'a' } } },
    ])
    await done(decide(user, body.approvalId))
    expect(await send('b', '/twice/b')).toMatchObject(required)
    expect(await send('a', '/twice/a')).toMatchObject(required)
    expect(await send('a', '/twice/b')).toMatchObject({ status: 200 })
  })

  it('is not asked of the owner if its input or its caller is refused anyway', async () => {
    const user = await auth.signedInUser()
    const key = await machineOf(auth, user, { permissions: ['order:refund'] })
    expect(await refundBy(auth, key, { amount: 'all' })).toMatchObject(
      refused(400, 'ValidationError'),
    )
    const none = await machineOf(auth, user)
    expect(await refundBy(auth, none, { amount: 5 })).toMatchObject(refused(403, 'ForbiddenError'))
    expect(await waitingFor(user)).toEqual([])
  })

  it('is refused for ten minutes if the owner refuses it, and then asked again', async () => {
    const { user, again, approvalId } = await waitingMachine()
    expect(await decide(user, approvalId, 'refuseCall')).toMatchObject({ status: 204 })
    expect(await again()).toMatchObject(refused(403, 'ApprovalRefusedError'))
    expect(await waitingFor(user)).toEqual([])
    clock.advance(10 * minute)
    expect(await again()).toMatchObject(required)
    const [next] = await waitingFor(user)
    expect(next.approvalId).not.toBe(approvalId)
  })

  it('can’t be approved ten minutes after it was asked, and is asked again', async () => {
    const { user, again, approvalId } = await waitingMachine()
    clock.advance(10 * minute)
    expect(await waitingFor(user)).toEqual([])
    await auth.proveRecent(user)
    expect(await decide(user, approvalId)).toMatchObject(notFound)
    expect((await again()).body.approvalId).not.toBe(approvalId)
  })

  it('has ten minutes from the approval', async () => {
    const { user, again, approvalId } = await waitingMachine()
    clock.advance(9 * minute)
    await done(decide(user, approvalId))
    clock.advance(10 * minute)
    expect(await again()).toMatchObject(required)
    expect(refunded).toEqual([])
  })

  it('is void once the account has signed out everywhere', async () => {
    const { user, key, approvalId } = await waitingMachine()
    await done(decide(user, approvalId))
    const pool = auth.infrastructure.database?.pool
    // As a password change does, which a machine survives.
    const next = 'update svc_auth.users set generation = generation + 1 where user_id = $1'
    await pool?.query(next, [user.userId])
    expect(await refundBy(auth, key, { amount: 5 })).toMatchObject(required)
    expect(refunded).toEqual([])
  })

  it('may have so many values as an owner reads', async () => {
    const user = await auth.signedInUser()
    const key = await machineOf(auth, user, { permissions: ['order:refund'] })
    const note = 'x'.repeat(9000)
    expect(await refundBy(auth, key, { amount: 5, note })).toMatchObject(
      refused(413, 'PayloadTooLargeError'),
    )
  })
})

describe('the decision', () => {
  it('is the owner’s alone, and the answer does not tell which calls wait', async () => {
    const { approvalId } = await waitingMachine()
    const other = await auth.signedInUser()
    for (const decision of ['approveCall', 'refuseCall'] as const) {
      const [theirs, unknown, odd] = await Promise.all([
        decide(other, approvalId, decision),
        decide(other, crypto.randomUUID(), decision),
        decide(other, 'no-id', decision),
      ])
      for (const answer of [theirs, unknown, odd]) {
        expect(answer).toMatchObject(notFound)
        expect(answer.body.error.message).toBe(theirs.body.error.message)
      }
    }
  })

  it('is made once', async () => {
    const { user, approvalId } = await waitingMachine()
    await done(decide(user, approvalId, 'refuseCall'))
    expect(await decide(user, approvalId)).toMatchObject(notFound)
    expect(await decide(user, approvalId, 'refuseCall')).toMatchObject(notFound)
  })

  it('to approve needs a fresh proof, and no program can give it', async () => {
    const { user, key, again } = await waitingMachine()
    clock.advance(6 * minute)
    const { approvalId } = (await again({ amount: 6 })).body
    clock.advance(6 * minute)
    expect(await decide(user, approvalId)).toMatchObject(
      refused(403, 'RecentAuthenticationRequiredError'),
    )
    await auth.proveRecent(user)
    expect(await decide({ key }, approvalId)).toMatchObject(refused(403, 'ForbiddenError'))
    expect(await decide(user, approvalId)).toMatchObject({ status: 204 })
  })

  it('is not for an operator in a support session, nor is the call itself', async () => {
    const { user, approvalId } = await waitingMachine()
    const operator = await auth.signedInUser({ role: 'superadmin' })
    const key = await sessionOf(auth, operator, user)
    const forbidden = refused(403, 'SupportSessionForbiddenError')
    expect(await decide({ key }, approvalId)).toMatchObject(forbidden)
    expect(await decide({ key }, approvalId, 'refuseCall')).toMatchObject(forbidden)
    expect(await refundBy(auth, key, { amount: 5 })).toMatchObject(forbidden)
  })

  it('is in the trail, with the digest of the values and not the values', async () => {
    const { user, key, again, approvalId } = await waitingMachine({ amount: 5, note: 'a secret' })
    await done(decide(user, approvalId))
    await again()
    const trail = await trailOf(approvalId)
    expect(trail.map(({ act }) => act)).toEqual([
      'approval.asked',
      'approval.approved',
      'approval.used',
    ])
    for (const { details } of trail) {
      expect(details).toMatchObject({ operation: 'POST /orders/:id/refund', keyId: key.keyId })
      expect(details).toHaveProperty('givenHash', expect.stringMatching(/^[0-9a-f]{64}$/))
    }
    expect(JSON.stringify(trail)).not.toContain('a secret')
  })

  it('is told to the owner’s live stream, as is that they are asked', async () => {
    const told: object[] = []
    const end = approvalChangedEvent.subscribe((event) => void told.push(event))
    const { user, approvalId } = await waitingMachine()
    await done(decide(user, approvalId))
    end()
    const { userId } = user
    expect(told.filter((event) => 'userId' in event && event.userId === userId)).toEqual([
      { userId, approvalId, state: 'pending' },
      { userId, approvalId, state: 'approved' },
    ])
  })
})

describe('an agent', () => {
  it('asks in the name of its client, and acts once it is approved', async () => {
    const user = await auth.signedInUser()
    const send = await refundingAgent(auth, user)
    const { status, body } = await send({ id: '7', amount: 5 })
    expect(status).toBe(403)
    expect(await waitingFor(user)).toMatchObject([
      { asker: { kind: 'agent', name: 'Shopper' }, title: 'Give money back' },
    ])
    await done(decide(user, body.approvalId))
    // Another agent of the same client has no part in it.
    const other = await refundingAgent(auth, user)
    expect((await other({ id: '7', amount: 5 })).status).toBe(403)
    expect((await send({ id: '7', amount: 5 })).status).toBe(200)
    expect(refunded).toEqual(['7: 5'])
  })

  it('does nothing more once its access has ended, approved or not', async () => {
    const user = await auth.signedInUser()
    const send = await refundingAgent(auth, user)
    const { body } = await send({ id: '7', amount: 5 })
    await done(decide(user, body.approvalId))
    const { grants } = await done(call('listOAuth2Grants', undefined, user.key))
    const { grantId } = grants[0]
    await done(call('revokeOAuth2Grant', undefined, user.key, { params: { grantId } }))
    expect((await send({ id: '7', amount: 5 })).status).toBe(401)
  })
})

describe('a person', () => {
  it('gives a fresh proof instead', async () => {
    const user = await auth.signedInUser()
    expect(await refundBy(auth, user.key, { amount: 5 })).toMatchObject({ status: 200 })
    clock.advance(10 * minute)
    expect(await refundBy(auth, user.key, { amount: 5 })).toMatchObject(
      refused(403, 'RecentAuthenticationRequiredError'),
    )
    expect(await waitingFor(user)).toEqual([])
  })

  it('can ask for an approval on another device, as a terminal does', async () => {
    const user = await auth.signedInUser()
    const terminal = await auth.signIn(user)
    const headers = { 'svc-approval': 'ask' }
    const send = () => refundBy(auth, terminal, { amount: 5 }, { headers })
    const { body } = await send()
    expect(await waitingFor(user)).toMatchObject([{ asker: { kind: 'device' } }])
    await done(decide(user, body.approvalId))
    expect(await send()).toMatchObject({ status: 200 })
  })
})

describe('nothing is asked', () => {
  it('of the account of an organization’s programs, which has no one to answer', async () => {
    const user = await auth.signedInUser()
    const key = await machineOf(auth, user, { permissions: ['order:refund'] })
    const asService = `update svc_auth.users set is_service = true, email = null, email_verified_at = null,
      password_hash = null where user_id = $1`
    await auth.infrastructure.database?.pool.query(asService, [user.userId])
    const answer = await refundBy(auth, key, { amount: 5 })
    expect(answer).toMatchObject(refused(403, 'ForbiddenError'))
    expect(answer.body.message).toContain('the programs of an organization do not have')
    expect(await db.$count(approvals, eq(approvals.userId, user.userId))).toBe(0)
  })

  it('by a token without a key: another token of the account could use the approval', async () => {
    const { userId } = await auth.createUser()
    const token = await auth.within(() => issueLegacyToken(userId))
    const answer = await auth.fetch('/orders/7/refund', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        'svc-approval': 'ask',
      },
      body: JSON.stringify({ amount: 5 }),
    })
    expect({ status: answer.status, body: await answer.json() }).toMatchObject(
      refused(403, 'ForbiddenError'),
    )
    expect(await db.$count(approvals, eq(approvals.userId, userId))).toBe(0)
  })
})

describe('what was asked', () => {
  it('is forgotten a day after it has expired', async () => {
    const { approvalId } = await waitingMachine()
    const isKept = async () =>
      (await db.$count(approvals, eq(approvals.approvalId, approvalId))) > 0
    clock.advance(10 * minute + 24 * 60 * minute - 1000)
    await auth.sweep()
    expect(await isKept()).toBe(true)
    clock.advance(1000)
    await auth.sweep()
    expect(await isKept()).toBe(false)
  })

  it('is limited: an account is asked twenty times a minute', async () => {
    const limited = await startTestAuth({ ...orders, env: { SVC_RATE_LIMIT: 'on' } })
    try {
      const user = await limited.signedInUser()
      const key = await machineOf(limited, user, { permissions: ['order:refund'] })
      const statuses: number[] = []
      for (let amount = 0; amount < 21; amount++) {
        statuses.push((await refundBy(limited, key, { amount })).status)
      }
      expect(statuses).toEqual([...Array.from({ length: 20 }, () => 403), 429])
      // What waits already is told as often as it is sent.
      expect((await refundBy(limited, key, { amount: 0 })).status).toBe(403)
    } finally {
      await limited.stop()
    }
  })
})

it('is not for routes whose input no owner could read', () => {
  const approved = allow.approved(allow.anyKey)
  const form = route.post('/form').input({ form: t.Object({ id: t.String() }) })
  const bytes = route.post('/bytes').input({ body: bytesBody({ maxBytes: 10 }) })
  for (const each of [form, bytes]) {
    expect(() => approved(each.handler(() => ({})))).toThrow(
      'no owner could read what they approve',
    )
  }
})
