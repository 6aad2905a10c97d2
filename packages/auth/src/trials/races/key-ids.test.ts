import { afterAll, describe, expect, it } from 'vitest'
import { createTestKey, type TestAnswer, type TestKey } from '../../testing.ts'
import { clients, eachRound, startRace, times, withStatus } from './race.ts'

const { operation, race, raceBehind, ...auth } = await startRace()
afterAll(() => auth.stop())

type User = Awaited<ReturnType<typeof auth.createUser>>

const half = clients / 2

const login = ({ email, password }: User, key: object) =>
  operation('login', { email, password, ...key })

async function keysOf(...users: User[]) {
  return (await Promise.all(users.map(({ userId }) => auth.keysOf(userId)))).flat()
}

/** Every loser hears the same, and not a word of who was faster. */
function expectRefused(answers: readonly TestAnswer[]) {
  for (const { status, body } of answers) {
    expect([status, body.error.code]).toEqual([409, 'KeyIdAlreadyRegisteredError'])
  }
  expect(new Set(answers.map(({ body }) => body.message)).size).toBe(1)
}

/** Two sides race for one thing: one side gets all it asks for, and the other nothing. */
async function raceOf(round: number, one: [User, object], other: [User, object]) {
  const contestants = [...times(half, () => login(...one)), ...times(half, () => login(...other))]
  // Every other time, the first of both sides get their accounts at the same moment.
  const userIds = [one[0].userId, other[0].userId]
  const answers = await (round % 2 ? race(contestants) : raceBehind(userIds, contestants))
  const sides = [answers.slice(0, half), answers.slice(half)] as const
  const [winners, losers] = sides[0][0]?.status === 200 ? sides : [sides[1], sides[0]]
  expect(withStatus(winners, 200)).toHaveLength(half)
  expectRefused(losers)
  const winner = winners[0]?.body.userId
  const rows = await keysOf(...new Set([one[0], other[0]]))
  expect(rows.map(({ userId, state }) => [userId, state])).toEqual([[winner, 'active']])
  return rows[0] as (typeof rows)[number]
}

async function expectOnlyKey(row: { keyId: string; publicKey: string }, keys: TestKey[]) {
  const answers = await Promise.all(keys.map((key) => auth.call('getAuthSession', undefined, key)))
  const signing = keys.filter((_, index) => answers[index]?.status === 200)
  expect(signing.map(({ registration }) => registration.publicKey)).toEqual([row.publicKey])
}

describe('a key id that many register at once', () => {
  it('R5: belongs to one of two users, and the other is refused (A-020, A-366)', () =>
    eachRound(async (round) => {
      const [mina, jun] = [await auth.createUser(), await auth.createUser()]
      const [hers, his] = [await createTestKey(), await createTestKey()]
      const { keyId } = hers
      const taken = { ...his, keyId, registration: { ...his.registration, keyId } }
      const row = await raceOf(round, [mina, hers.registration], [jun, taken.registration])
      await expectOnlyKey(row, [hers, taken])
    }))

  it('stands for one of two public keys of the same user (A-020, A-366)', () =>
    eachRound(async (round) => {
      const user = await auth.createUser()
      const [one, other] = [await createTestKey(), await createTestKey()]
      const { keyId } = one
      const second = { ...other, keyId, registration: { ...other.registration, keyId } }
      const row = await raceOf(round, [user, one.registration], [user, second.registration])
      await expectOnlyKey(row, [one, second])
    }))

  it('is welcome from all of them where it is the same key of the same user, and there is one (A-132)', () =>
    eachRound(async () => {
      const user = await auth.createUser()
      const key = await createTestKey()
      const answers = await race(times(clients, () => login(user, key.registration)))

      expect(withStatus(answers, 200)).toHaveLength(clients)
      expect(await auth.liveKeys(user.userId, [key])).toEqual({
        active: [key.keyId],
        answering: [key.keyId],
      })
      expect(await auth.keysOf(user.userId)).toHaveLength(1)
    }))
})

describe('a public key that two users register at once', () => {
  it('is live under one of its names', () =>
    eachRound(async (round) => {
      const [mina, jun] = [await auth.createUser(), await auth.createUser()]
      const key = await createTestKey()
      const renamed = { ...key.registration, keyId: `${key.keyId}-2` }
      await raceOf(round, [mina, key.registration], [jun, renamed])
    }))

  it('is live under one of them, under one name too', () =>
    eachRound(async (round) => {
      const [mina, jun] = [await auth.createUser(), await auth.createUser()]
      const key = await createTestKey()
      const row = await raceOf(round, [mina, key.registration], [jun, key.registration])
      await expectOnlyKey(row, [key])
    }))
})
