import { defineRouter, route, t } from '@svc/core'
import type { TestServer } from '@svc/core/testing'
import { eq, or } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { users } from '../../accounts/schema.ts'
import { auditEvents } from '../../audit/schema.ts'
import { authOf } from '../../auth.ts'
import { deletionOn, purgeAccount } from '../../deletion/deletion.ts'
import {
  deletionCancelledEvent,
  deletionCompletedEvent,
  deletionRequestedEvent,
} from '../../events.ts'
import { createTestKey, type TestKey, type TestUser } from '../../testing.ts'
import { clients, eachRound, startRace, times, withStatus } from './race.ts'

const router = defineRouter({
  purge: route
    .post('/purge')
    .skip(['auth'])
    .input({ body: t.Object({ userId: t.String() }) })
    .handler(async (c) =>
      purgeAccount(deletionOn(authOf(c.raw.server).db), (await c.data()).body.userId),
    ),
})
const { operation, race, raceBehind, ...auth } = await startRace({ router })
afterAll(() => auth.stop())
const { db } = auth.auth

const told: { name: string; userId: string }[] = []
for (const event of [deletionRequestedEvent, deletionCancelledEvent, deletionCompletedEvent]) {
  event.subscribe(({ userId }) => void told.push({ name: event.name, userId }))
}
const toldOf = (userId: string) =>
  told.filter((each) => each.userId === userId).map(({ name }) => name)

// Events are delivered when the machine has time.
const patience = { interval: 5, timeout: 10_000 }
const nobody = { active: [], answering: [] }

const request = ({ password }: TestUser, key: TestKey) =>
  operation('requestAccountDeletion', { password }, key)
const cancel = ({ email, password }: TestUser) =>
  operation('cancelAccountDeletion', { email, password })

/** What the job does with one account. */
const purge =
  (userId: string, { url }: TestServer) =>
  () => ({
    method: 'POST',
    url: `${url}/purge`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userId }),
  })

async function accountOf(userId: string) {
  const [account] = await db.select().from(users).where(eq(users.userId, userId))
  return account
}

async function doneActs(userId: string) {
  const { actor, target } = auditEvents
  const about = or(eq(actor, userId), eq(target, userId))
  const own = await db.select().from(auditEvents).where(about)
  const done = own.filter(({ act, outcome }) => act.startsWith('deletion.') && outcome === 'done')
  return done.map(({ act }) => act)
}

// The clocks of the instances are seconds apart.
const inADay = () => new Date(auth.clock.now().getTime() + 86_400_000)

async function closedUser(purgeAt = inADay()) {
  const user = await auth.signedInUser()
  const status = 'pending_deletion' as const
  await db.update(users).set({ status, purgeAt }).where(eq(users.userId, user.userId))
  return user
}

const entrance = ({ email, password, key }: TestUser, next: TestKey, index: number) =>
  index % 2
    ? operation('rotateKey', next.registration, key)
    : operation('login', { email, password, ...next.registration })

describe('requestAccountDeletion', () => {
  it('happens once when two devices ask for it sixteen times', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const other = await auth.signIn(user)
      const answers = await race(
        times(clients, (index) => request(user, index % 2 ? user.key : other)),
      )

      expect(withStatus(answers, 200)).toHaveLength(1)
      expect(withStatus(answers, 401)).toHaveLength(clients - 1)
      expect(await auth.liveKeys(user.userId, [user.key, other])).toEqual(nobody)
      expect(await doneActs(user.userId)).toEqual(['deletion.requested'])
      await expect.poll(() => toldOf(user.userId), patience).toEqual(['auth.deletion.requested'])
    }))

  it.each(['in any order', 'before all of them'])(
    'leaves no key of logins and rotations that race it, %s',
    (order) =>
      eachRound(async () => {
        const user = await auth.signedInUser()
        const keys = await Promise.all(times(clients - 1, () => createTestKey()))
        // Its own key, for a rotation would end the one that asks.
        const asking = await auth.signIn(user)
        const contestants = [
          request(user, asking),
          ...keys.map((key, index) => entrance(user, key, index)),
        ]
        const [requested, ...entered] = await (order === 'in any order'
          ? race(contestants)
          : raceBehind([user.userId], contestants))

        expect(requested?.status).toBe(200)
        for (const { status } of entered) expect([200, 401, 403]).toContain(status)
        if (order !== 'in any order') expect(withStatus(entered, 200)).toEqual([])
        const all = [user.key, asking, ...keys]
        expect(await auth.liveKeys(user.userId, all)).toEqual(nobody)
        await auth.call('cancelAccountDeletion', { email: user.email, password: user.password })
        expect(await accountOf(user.userId)).toMatchObject({ status: 'active' })
        expect(await auth.liveKeys(user.userId, all)).toEqual(nobody)
      }),
  )

  it('leaves no device that polls while its approver goes', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const device = await createTestKey()
      const { body } = await auth.call('startDeviceAuth', device.registration)
      const { userCode, deviceCode } = body
      await auth.call('getDeviceAuthInfo', { userCode }, user.key)
      await auth.call('approveDeviceAuth', { userCode }, user.key)
      const [requested, ...polls] = await race([
        request(user, user.key),
        ...times(clients - 1, () => operation('pollDeviceAuth', { deviceCode })),
      ])

      expect(requested?.status).toBe(200)
      expect(withStatus(polls, 200).length).toBeLessThanOrEqual(1)
      expect(await auth.liveKeys(user.userId, [user.key, device])).toEqual(nobody)
    }))
})

describe('cancelAccountDeletion', () => {
  it('happens once when sixteen ask for it, and all hear that it has', () =>
    eachRound(async () => {
      const user = await closedUser()
      const answers = await race(times(clients, () => cancel(user)))
      expect(withStatus(answers, 204)).toHaveLength(clients)
      expect(await doneActs(user.userId)).toEqual(['deletion.cancelled'])
      await expect.poll(() => toldOf(user.userId), patience).toEqual(['auth.deletion.cancelled'])
    }))

  it('takes one token once', () =>
    eachRound(async () => {
      const user = await closedUser()
      const { email } = user
      const verificationToken = await auth.verificationToken(email, 'account_deletion')
      const answers = await race(
        times(clients, () => operation('cancelAccountDeletion', { email, verificationToken })),
      )
      expect(withStatus(answers, 204)).toHaveLength(1)
      expect(withStatus(answers, 400)).toHaveLength(clients - 1)
    }))

  it('R34: and the purge have one outcome, and no account is half of either', async () => {
    // One instance's clock is behind: it still restores what is due at the other.
    const [purging, restoring] = auth.instances
    const purgeAt = inADay()
    restoring.clock.set(new Date(purgeAt.getTime() - 1))
    purging.clock.set(purgeAt)
    const firsts: boolean[] = []
    await eachRound(async (round) => {
      const user = await closedUser(purgeAt)
      const { userId, email } = user
      const contestants = [
        ...times(2, () => purge(userId, purging)),
        ...times(clients - 2, () => () => cancel(user)(restoring)),
      ]
      // In any order, and with the purge before all others.
      const isFirst = round % 2 === 0
      const [, , ...cancels] = await (isFirst
        ? raceBehind([userId], contestants)
        : race(contestants))

      const account = await accountOf(userId)
      const isGone = account?.status === 'deleted'
      if (isFirst) firsts.push(isGone)
      expect(withStatus(cancels, isGone ? 401 : 204)).toHaveLength(cancels.length)
      expect(account).toMatchObject(isGone ? { email: null } : { email, status: 'active' })
      const outcome = isGone ? 'deletion.completed' : 'deletion.cancelled'
      expect(await doneActs(userId)).toEqual([outcome])
      await expect.poll(() => toldOf(userId), patience).toEqual([`auth.${outcome}`])
    })
    // PostgreSQL may give a row that comes free to somebody who has not stood in line.
    expect(firsts.filter(Boolean).length).toBeGreaterThanOrEqual(firsts.length / 2)
  })
})
