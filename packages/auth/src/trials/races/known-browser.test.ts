import type { Pool } from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { knownBrowserHeader } from '../../caller/contract.ts'
import { revokeActive } from '../../keys/store.ts'
import { createTestKey, type TestUser } from '../../testing.ts'
import { clients, eachRound, startRace, times, withStatus } from './race.ts'

const { operation, race, ...auth } = await startRace({ env: { SVC_RATE_LIMIT: 'on' } })
afterAll(() => auth.stop())
const begin = auth.clock.now()

/** Minutes of its own for each round: addresses have limits too, and a sign-in is prepared in another than the race. */
function atMinute(minute: number) {
  const now = new Date(begin.getTime() + minute * 60_000)
  for (const { clock } of auth.instances) clock.set(now)
}

/** Somebody whose account no stranger may guess at for now, and what one of two browsers is known by. */
async function knownUser(round: number) {
  atMinute(4 * round + 1)
  const user = await auth.signedInUser()
  const key = await createTestKey()
  const { email, password } = user
  const { body } = await auth.call('login', { email, password, ...key.registration })
  atMinute(4 * round + 2)
  const { limits } = auth.auth
  const take = () => limits.take('logins in an hour by account', email).catch(() => {})
  await Promise.all(times(100, take))
  return { user, key, token: body.knownBrowser as string }
}

/** A wrong password: 401 where it is looked at, 429 where it counts as a stranger’s. */
async function guess({ email }: TestUser, token: string) {
  const { registration } = await createTestKey()
  const headers = { [knownBrowserHeader]: token }
  return operation('login', { email, password: 'not it', ...registration }, undefined, { headers })
}

const guesses = (user: TestUser, token: string, count: number) =>
  Promise.all(times(count, () => guess(user, token)))

/** For a row that a transaction of this test has changed. */
async function untilOneWaits() {
  const { pool } = auth.server.infrastructure.database as { pool: Pool }
  const waiting = `select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(async () => (await pool.query(waiting)).rowCount, { timeout: 20_000 }).toBe(1)
}

describe('a known browser', () => {
  it('R51: gets ten of sixteen tries looked at in a minute, and none once it is revoked', () =>
    eachRound(async (round) => {
      const { user, key, token } = await knownUser(round)
      const answers = await race(await guesses(user, token, clients))
      expect(withStatus(answers, 401)).toHaveLength(10)
      expect(withStatus(answers, 429)).toHaveLength(clients - 10)

      atMinute(4 * round + 3)
      const revoke = operation('revokeKey', { keyId: key.keyId }, user.key)
      const [revoked, ...tried] = await race([revoke, ...(await guesses(user, token, clients - 1))])
      expect(revoked?.status).toBe(200)
      expect(withStatus(tried, 401).length).toBeLessThanOrEqual(10)
      // With a minute's tries before it, of which none is left to who is a stranger now.
      atMinute(4 * round + 4)
      const after = await race(await guesses(user, token, 3))
      expect(withStatus(after, 429)).toHaveLength(3)
    }))

  it('is known no more after a sign-out of all devices, whenever it has signed out itself', () =>
    eachRound(async (round) => {
      const { user, key, token } = await knownUser(round + 10_000)
      const logout = operation('logout', undefined, key)
      const everywhere = operation('revokeAllKeys', {}, user.key)
      const [, ended] = await race([logout, everywhere])
      expect(ended?.status).toBe(200)
      const after = await race(await guesses(user, token, 2))
      expect(withStatus(after, 429)).toHaveLength(2)
    }))

  it('that signs out while all devices are signed out is seen by that', async () => {
    const { user, key, token } = await knownUser(15_000)
    const { userId } = user
    const { db, clock } = auth.auth
    const own = { keyId: key.keyId, userId, reason: 'logout', now: clock.now() }
    const { ended } = await db.transaction(async (tx) => {
      await revokeActive(tx, own)
      const answer = auth.call('revokeAllKeys', {}, user.key)
      await untilOneWaits()
      return { ended: answer }
    })
    expect((await ended).status).toBe(200)
    const after = await race(await guesses(user, token, 2))
    expect(withStatus(after, 429)).toHaveLength(2)
  })

  it('is known no more after its revocation, whenever it has signed out itself', () =>
    eachRound(async (round) => {
      const { user, key, token } = await knownUser(round + 20_000)
      const logout = operation('logout', undefined, key)
      const revoke = operation('revokeKey', { keyId: key.keyId }, user.key)
      await race([logout, revoke])
      const after = await race(await guesses(user, token, 2))
      expect(withStatus(after, 429)).toHaveLength(2)
    }))
})
