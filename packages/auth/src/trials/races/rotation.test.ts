import { afterAll, describe, expect, it } from 'vitest'
import { createTestKey, type TestAnswer, type TestKey } from '../../testing.ts'
import { clients, eachRound, startRace, times, withStatus } from './race.ts'

const { operation, race, ...auth } = await startRace()
afterAll(() => auth.stop())

const half = clients / 2

const newKeys = (number: number) => Promise.all(times(number, () => createTestKey()))

const rotate = (key: TestKey, next: TestKey) => operation('rotateKey', next.registration, key)

/** The successors that somebody was told of. */
const successors = (answers: readonly TestAnswer[]) =>
  withStatus(answers, 200).map(({ body }) => body.keyId as string)

async function expectLive(userId: string, keys: TestKey[], keyIds: string[]) {
  expect(await auth.liveKeys(userId, keys)).toEqual({ active: keyIds, answering: keyIds })
}

describe('rotateKey', () => {
  it('R12: makes one successor of a key that rotates sixteen times, and the others get 401', () =>
    eachRound(async () => {
      const { userId, key } = await auth.signedInUser()
      const next = await newKeys(clients)
      const answers = await race(next.map((each) => rotate(key, each)))

      expect(successors(answers)).toHaveLength(1)
      expect(withStatus(answers, 401)).toHaveLength(clients - 1)
      await expectLive(userId, [key, ...next], successors(answers))
      expect(await auth.keysOf(userId)).toHaveLength(2)
    }))

  it('makes at most one successor of a key that is logged out meanwhile', () =>
    eachRound(async () => {
      const { userId, key } = await auth.signedInUser()
      const next = await newKeys(half)
      const answers = await race(
        next.flatMap((each) => [rotate(key, each), operation('logout', undefined, key)]),
      )

      // A device that hears that it is signed out has no successor that signs.
      expect(successors(answers)).toHaveLength(withStatus(answers, 204).length > 0 ? 0 : 1)
      await expectLive(userId, [key, ...next], successors(answers))
    }))

  it('leaves no successor of a key that another device revokes meanwhile', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const rotating = await auth.signIn(user)
      const next = await newKeys(clients - 1)
      const [revoked, ...rotated] = await race([
        operation('revokeKey', { keyId: rotating.keyId }, user.key),
        ...next.map((each) => rotate(rotating, each)),
      ])

      expect(revoked?.status).toBe(200)
      expect(successors(rotated).length).toBeLessThanOrEqual(1)
      await expectLive(user.userId, [user.key, rotating, ...next], [user.key.keyId])
    }))

  it.each([false, true])(
    'leaves no successor when another device revokes all keys (its own: %s)',
    (includeCurrent) =>
      eachRound(async () => {
        const user = await auth.signedInUser()
        const rotating = await auth.signIn(user)
        const next = await newKeys(clients - 1)
        const [revoked, ...rotated] = await race([
          operation('revokeAllKeys', { includeCurrent }, user.key),
          ...next.map((each) => rotate(rotating, each)),
        ])

        expect(revoked?.status).toBe(200)
        expect(successors(rotated).length).toBeLessThanOrEqual(1)
        const survivors = includeCurrent ? [] : [user.key.keyId]
        await expectLive(user.userId, [user.key, rotating, ...next], survivors)
      }),
  )
})
