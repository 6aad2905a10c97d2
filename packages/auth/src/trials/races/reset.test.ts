import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { waitingDevices } from '../../device/testing/test-waiting.ts'
import { passwordResetEvent } from '../../events.ts'
import { createTestKey, type TestAnswer, type TestKey } from '../../testing.ts'
import { clients, eachRound, startRace, times, withStatus } from './race.ts'
import { readyLinks } from './test-ready-links.ts'

const started = await startRace()
const { operation, race, ...auth } = started
afterAll(() => auth.stop())
const { db } = auth.auth
const { approvedBy } = waitingDevices(auth)
const { secret } = readyLinks(started, 'reset')

const told: string[] = []
passwordResetEvent.subscribe(({ userId }) => void told.push(userId))

/** Everything that a reset changes, in one look: none of it, or all. */
async function lookAt(userId: string, keyId: string) {
  const { rows } = await db.execute<Record<string, boolean>>(sql`
    select generation > 0 as "generation", not exists (
        select from svc_auth.device_keys k where k.key_id = ${keyId} and k.state = 'active') as "keys",
      exists (select from svc_auth.device_keys k
        where k.user_id = u.user_id and k.key_id <> ${keyId} and k.state = 'active') as "ownKey",
      exists (select from svc_auth.mailed_links l
        where l.user_id = u.user_id and l.state = 'spent') as "session",
      exists (select from svc_auth.device_requests d
        where d.claimed_by = u.user_id and d.state = 'refused') as "devices",
      exists (select from svc_auth.audit_events a
        where a.actor = u.user_id and a.act = 'password.reset') as "trail"
    from svc_auth.users u where user_id = ${userId}`)
  return new Set(Object.values(rows[0] ?? {}))
}

/** Looks again and again while a race is on. */
async function watch(racing: Promise<TestAnswer[]>, look: () => Promise<Set<boolean>>) {
  const seen: Set<boolean>[] = []
  const over = new AbortController()
  const looking = (async () => {
    while (!over.signal.aborted) seen.push(await look())
  })()
  const answers = await racing.finally(() => over.abort())
  await looking
  return { answers, seen }
}

describe('a reset', () => {
  it('R10: is one commit, and no event tells of one that was undone', () =>
    eachRound(async (round) => {
      const [user, other] = [await auth.signedInUser(), await auth.signedInUser()]
      await approvedBy(user)
      const setupSecret = await secret(user.email)
      // Its last step refuses a key whose id is another's, and undoes all before it.
      const refused = await createTestKey()
      const taken = { ...refused.registration, keyId: other.key.keyId }
      const good = round % 4 === 3 ? [] : [await createTestKey(), await createTestKey()]
      const complete = (registration: TestKey['registration']) =>
        operation('completePasswordReset', {
          setupSecret,
          password: 'a reset one',
          ...registration,
        })
      const racing = race([
        ...good.map(({ registration }) => complete(registration)),
        ...times(clients - good.length, () => complete(taken)),
      ])
      const look = () => lookAt(user.userId, user.key.keyId)
      const { answers, seen } = await watch(racing, look)

      const isDone = good.length > 0
      expect(withStatus(answers, 200)).toHaveLength(isDone ? 1 : 0)
      expect(withStatus(answers, 500)).toEqual([])
      for (const facts of seen) expect(facts.size).toBe(1)
      expect(await look()).toEqual(new Set([isDone]))
      const events = () => told.filter((userId) => userId === user.userId)
      await expect.poll(events, { interval: 5, timeout: 10_000 }).toHaveLength(isDone ? 1 : 0)
    }))
})
