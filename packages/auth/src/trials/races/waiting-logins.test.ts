import { setTimeout as wait } from 'node:timers/promises'
import type { TestServer } from '@svc/core/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { chosenPassword } from '../../links/testing/links.ts'
import { createPasswordHasher, type PasswordHasher } from '../../passwords/passwords.ts'
import { changeService } from '../../running/test-change-held.ts'
import { createTestKey, type TestKey, type TestUser } from '../../testing.ts'
import { clients, eachRound, startRace, times, withStatus } from './race.ts'
import { readyLinks } from './test-ready-links.ts'
import { router, suspending } from './test-suspending.ts'

const started = await startRace({ router })
const { operation, race, raceBehind, instances, ...auth } = started
const { secret } = readyLinks(started, 'reset')
// Where a reset hashes its password: it must not wait behind the logins that it races.
const free = await auth.secondInstance()
const lines = instances.map(narrow)
afterAll(async () => {
  for (const line of lines) await line.close()
  await auth.stop()
})

/** A few have their turn at such an instance at the same time, and the others wait, however long it takes. */
function narrow(at: TestServer) {
  const log = { error: () => {} }
  const passwords = createPasswordHasher({ rounds: 4, workers: 1, waitMillis: 60_000, log })
  changeService(at.infrastructure, { passwords })
  return passwords
}

/** Takes all turns. Answers what gives them back. */
function takeTurns(of: readonly PasswordHasher[]) {
  const { promise, resolve } = Promise.withResolvers<void>()
  for (const line of of) {
    for (let turn = 0; turn < line.turns; turn++)
      void line.withPlace({ address: null }, () => promise)
  }
  return resolve
}

/** Until so many have come for whom there is no turn. */
const haveCome = (of: readonly PasswordHasher[], number: number) => () =>
  of.reduce((sum, line) => sum + line.placesTaken - line.turns, 0) >= number

const newKeys = (number: number) => Promise.all(times(number, () => createTestKey()))

const login = ({ email, password }: TestUser, key: TestKey) =>
  operation('login', { email, password, ...key.registration })

/** Each ends all credentials that were checked before it. With the keys that are left then. */
const endings = {
  suspendUser: async (user: TestUser) => ({ end: suspending(user), left: [] }),
  completePasswordReset: async ({ email }: TestUser) => {
    const next = await createTestKey()
    const body = { setupSecret: await secret(email), password: chosenPassword }
    const end = operation('completePasswordReset', { ...body, ...next.registration })
    return { end: () => end(free), left: [next] }
  },
  revokeAllKeys: async ({ key }: TestUser) => ({
    end: operation('revokeAllKeys', {}, key),
    left: [key],
  }),
}

async function expectLive(userId: string, keys: TestKey[], live: TestKey[]) {
  const keyIds = live.map(({ keyId }) => keyId).toSorted()
  expect(await auth.liveKeys(userId, keys)).toEqual({ active: keyIds, answering: keyIds })
  const states = (await auth.keysOf(userId)).map(({ state }) => state)
  expect(states).not.toContain('pending')
}

describe('a login that waits for its place', () => {
  /** Lets sixteen wait with the right password, then ends what there is, and only then gives them their turns. */
  async function endMeanwhile(user: TestUser, ending: keyof typeof endings) {
    const keys = await newKeys(clients)
    const { end, left } = await endings[ending](user)
    const giveBack = takeTurns(lines)
    const racing = race(keys.map((key) => login(user, key)))
    await expect.poll(haveCome(lines, clients)).toBe(true)
    const [ended] = await race([end])
    giveBack()
    expect(ended?.status).toBe(200)
    return { keys, left, answers: await racing }
  }

  it('R41: is checked when that comes: of an account that was suspended or reset by then it leaves no key', () =>
    eachRound(async (round) => {
      const user = await auth.signedInUser()
      const isSuspended = round % 2 === 0
      const ending = isSuspended ? 'suspendUser' : 'completePasswordReset'
      const { keys, left, answers } = await endMeanwhile(user, ending)

      expect(withStatus(answers, isSuspended ? 403 : 401)).toHaveLength(clients)
      await expectLive(user.userId, [user.key, ...keys, ...left], left)
    }))

  it('has a right password yet where every device was signed out meanwhile, and signs in', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const { keys, left, answers } = await endMeanwhile(user, 'revokeAllKeys')

      expect(withStatus(answers, 200)).toHaveLength(clients)
      await expectLive(user.userId, [user.key, ...keys], [...left, ...keys])
    }))

  it('leaves no key where its password was right before the account was suspended, reset or signed out', () =>
    eachRound(async (round) => {
      const user = await auth.signedInUser()
      const keys = await newKeys(clients - 1)
      const ending = Object.values(endings)[round % 3] as (typeof endings)['suspendUser']
      const { end, left } = await ending(user)
      const giveBack = takeTurns(lines)
      const contestants = [end, ...keys.map((key) => login(user, key))]
      const [ended, ...answers] = await raceBehind([user.userId], contestants, async (behind) => {
        await expect.poll(haveCome(lines, keys.length)).toBe(true)
        giveBack()
        await behind(contestants.length)
      })

      expect(ended?.status).toBe(200)
      expect(withStatus(answers, 401)).toHaveLength(keys.length)
      await expectLive(user.userId, [...new Set([user.key, ...keys, ...left])], left)
    }))

  it('is answered once by a server that shuts down, and leaves a key only where that says so', () =>
    eachRound(async (round) => {
      const user = await auth.signedInUser()
      const keys = await newKeys(clients)
      const leaving = [await auth.secondInstance(), await auth.secondInstance()] as const
      const ending = leaving.map(narrow)
      const giveBack = takeTurns(ending)
      const racing = race(
        keys.map((key) => login(user, key)),
        leaving,
      )
      await expect.poll(haveCome(ending, clients)).toBe(true)
      // Before the first of them has a turn, or while they have them.
      const isBefore = round % 2 === 0
      if (!isBefore) giveBack()
      if (!isBefore) await wait(Math.random() * 20)
      const stopped = Promise.all(leaving.map((each) => each.stop()))
      const answers = await racing
      giveBack()
      await stopped
      for (const line of ending) await line.close()

      const signedIn = keys.filter((_, index) => answers[index]?.status === 200)
      expect(withStatus(answers, 503)).toHaveLength(clients - signedIn.length)
      if (isBefore) expect(signedIn).toEqual([])
      await expectLive(user.userId, [user.key, ...keys], [user.key, ...signedIn])
    }))
})
