import { afterAll, describe, expect, it, vi } from 'vitest'
import { openStream, streamToken } from '../../streams/test-stream.ts'
import { sessionOf, supported } from '../../support/testing/support.ts'
import { createTestKey, type TestKey, type TestUser } from '../../testing.ts'
import { clients, eachRound, startRace, times } from './race.ts'

const auth = await startRace({
  definition: supported({ support: {}, rolePermissions: { admin: ['support:act'] } }),
})
const { operation, race, instances } = auth
afterAll(() => auth.stop())

interface Session {
  key: TestKey
  owner: TestUser
  operator: TestUser
}

/** Whatever ends it: the owner, its operator, itself, and the end of the key that it was opened with. */
const ends = [
  ({ key, owner }: Session) => operation('revokeKey', { keyId: key.keyId }, owner.key),
  ({ key, operator }: Session) =>
    operation('endSupportSession', { keyId: key.keyId }, operator.key),
  ({ key }: Session) => operation('endSupportSession', { keyId: key.keyId }, key),
  ({ operator }: Session) => operation('logout', undefined, operator.key),
]

async function streamAt(url: string, key: TestKey) {
  const stream = await openStream(url, await streamToken(url, auth.signerOf(key)))
  expect(stream.status).toBe(200)
  return stream
}

describe('a support session', () => {
  it('R47: does nothing after its end, in each way to end it, and its streams end on both instances', () =>
    eachRound(async (round) => {
      const operator = await auth.signedInUser({ role: 'admin' })
      const owner = await auth.signedInUser()
      const key = await sessionOf(auth, operator, owner)
      const streams = await Promise.all(instances.map(({ url }) => streamAt(url, key)))
      const end = ends[round % ends.length] as (typeof ends)[number]
      const [ended, ...answers] = await race([
        end({ key, owner, operator }),
        ...times(clients - 1, () => operation('getAuthSession', undefined, key)),
      ])

      expect(ended?.status).toBeLessThan(300)
      for (const { status } of answers) expect([200, 401]).toContain(status)
      const { answering } = await auth.liveKeys(owner.userId, [owner.key, key])
      expect(answering).toEqual([owner.key.keyId])
      await Promise.all(streams.map((stream) => stream.ended))
      await vi.waitFor(async () => {
        const { active } = await auth.liveKeys(owner.userId, [])
        expect(active).toEqual([owner.key.keyId])
      })
    }))

  it('is not opened by a key that has ended, or for an owner who was suspended meanwhile', () =>
    eachRound(async (round) => {
      const [operator, owner] = [
        await auth.signedInUser({ role: 'admin' }),
        await auth.signedInUser(),
      ]
      const keys = await Promise.all(times(clients - 1, () => createTestKey()))
      const opening = keys.map(({ registration }) =>
        operation(
          'openSupportSession',
          { userId: owner.userId, reason: 'ticket 7', ...registration },
          operator.key,
        ),
      )
      const isLogout = round % 2 === 0
      const suspending = { params: { userId: owner.userId } }
      const end = isLogout
        ? operation('logout', undefined, operator.key)
        : operation('suspendUser', {}, operator.key, suspending)
      // Where both are locked, this one is locked first.
      const [first = ''] = [owner.userId, operator.userId].toSorted()
      const held = isLogout ? operator.userId : first
      const [ended, ...answers] = await auth.raceBehind([held], [end, ...opening])

      expect(ended?.status).toBe(204)
      for (const { status } of answers) expect(status).toBe(isLogout ? 401 : 409)
      const { answering } = await auth.liveKeys(owner.userId, keys)
      expect(answering).toEqual([])
    }))
})
