import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { users } from '../../accounts/schema.ts'
import { invitations } from '../../invitations/schema.ts'
import { type Sent, stepsOf } from '../../invitations/testing/invitations.ts'
import { createTestKey, testPassword } from '../../testing.ts'
import { clients, eachRound, startRace, times, withStatus } from './race.ts'
import { router, suspending } from './test-suspending.ts'

const { operation, race, raceBehind, ...auth } = await startRace({ router })
afterAll(() => auth.stop())

const { db } = auth.auth
const { invite, accept } = stepsOf(auth)

async function acceptances(number: number, { token }: Sent) {
  const keys = await Promise.all(times(number, () => createTestKey()))
  return keys.map(({ registration }) =>
    operation('acceptInvitation', { token, password: testPassword, ...registration }),
  )
}

async function outcome({ invitationId, email }: Sent) {
  const accounts = await db.select().from(users).where(eq(users.email, email))
  const rows = db.select().from(invitations).where(eq(invitations.invitationId, invitationId))
  const [invitation] = await rows
  return { accounts, invitation, ids: accounts.map(({ userId }) => userId) }
}

/** Every key but that of the one who got in is nobody's. */
async function expectOneOrNone(sent: Sent, accepted: readonly { body: { userId: string } }[]) {
  const { ids, invitation } = await outcome(sent)
  expect(ids).toEqual(accepted.map(({ body }) => body.userId))
  expect(ids.length).toBeLessThan(2)
  for (const userId of ids) expect(await auth.keysOf(userId)).toHaveLength(1)
  return invitation
}

describe('an invitation', () => {
  it('R26: is accepted once when sixteen accept it (A-159)', () =>
    eachRound(async () => {
      const { key } = await auth.signedInUser({ role: 'admin' })
      const sent = await invite(key)
      const answers = await race(await acceptances(clients, sent))

      const accepted = withStatus(answers, 200)
      expect(accepted).toHaveLength(1)
      expect(withStatus(answers, 404)).toHaveLength(clients - 1)
      expect(await expectOneOrNone(sent, accepted)).toMatchObject({ state: 'accepted' })
    }))

  it.each(['cancelInvitation', 'resendInvitation', 'deleteInvitation'] as const)(
    'is accepted once or not at all while others race it: %s',
    (name) =>
      eachRound(async (round) => {
        const { userId, key } = await auth.signedInUser({ role: 'superadmin' })
        const sent = await invite(key)
        const { invitationId } = sent
        const ending = times(clients / 2, () => operation(name, { invitationId }, key))
        const contestants = [...ending, ...(await acceptances(clients / 2, sent))]
        // In any order, and with one that ends it before all others.
        const first = round % 2 === 0
        const answers = await (first ? raceBehind([userId], contestants) : race(contestants))

        for (const { status } of answers) expect([200, 204, 404, 409]).toContain(status)
        const accepted = withStatus(answers.slice(ending.length), 200)
        if (first) expect(accepted).toEqual([])
        const invitation = await expectOneOrNone(sent, accepted)
        const isEnded = name !== 'resendInvitation'
        if (name !== 'deleteInvitation') {
          const otherwise = isEnded ? 'cancelled' : 'pending'
          expect(invitation?.state).toBe(accepted.length === 1 ? 'accepted' : otherwise)
        }
        expect(await accept(sent.token)).toMatchObject({ status: 404 })
      }),
  )

  it('is accepted once or not at all while its time runs out', () =>
    eachRound(async () => {
      const { key } = await auth.signedInUser({ role: 'admin' })
      const sent = await invite(key, { expiresInDays: 1 })
      const racing = race(await acceptances(clients, sent))
      for (const { clock } of auth.instances) clock.advance('1d')
      const answers = await racing

      const accepted = withStatus(answers, 200)
      expect(withStatus(answers, 404)).toHaveLength(clients - accepted.length)
      await expectOneOrNone(sent, accepted)
      expect(await accept(sent.token)).toMatchObject({ status: 404 })
    }))

  it('is refused once its inviter is suspended', () =>
    eachRound(async () => {
      const { userId, key } = await auth.signedInUser({ role: 'admin' })
      const sent = await invite(key)
      const contestants = [suspending({ userId }), ...(await acceptances(clients - 1, sent))]
      const [suspended, ...answers] = await raceBehind([userId], contestants)

      expect(suspended?.status).toBe(200)
      expect(withStatus(answers, 404)).toHaveLength(clients - 1)
      expect(await expectOneOrNone(sent, [])).toMatchObject({ state: 'pending' })
    }))

  it('is one when sixteen invite the same address', () =>
    eachRound(async () => {
      const { key } = await auth.signedInUser({ role: 'admin' })
      const email = `${crypto.randomUUID()}@example.com`
      const answers = await race(
        times(clients, () => operation('createInvitation', { email, role: 'user' }, key)),
      )
      const [made, ...more] = withStatus(answers, 201)
      expect(more).toEqual([])
      const others = withStatus(answers, 409).map(({ body }) => body.invitationId)
      expect(others).toEqual(times(clients - 1, () => made?.body.invitationId))
    }))

  it('comes from no device that was signed out before', () =>
    eachRound(async () => {
      const user = await auth.signedInUser({ role: 'admin' })
      const { userId, key } = user
      const other = await auth.signIn(user)
      const emails = times(clients - 1, () => `${crypto.randomUUID()}@example.com`)
      const inviting = emails.map((email) =>
        operation('createInvitation', { email, role: 'user' }, key),
      )
      const signOut = operation('revokeKey', { keyId: key.keyId }, other)
      const [out, ...answers] = await raceBehind([userId], [signOut, ...inviting])
      expect(out?.status).toBe(200)
      expect(withStatus(answers, 401)).toHaveLength(clients - 1)
      expect(await db.$count(invitations, eq(invitations.invitedBy, userId))).toBe(0)
    }))
})
