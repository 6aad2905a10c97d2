import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { deviceKeys } from '../../keys/schema.ts'
import { createTestKey, type TestAnswer, type TestKey, type TestUser } from '../../testing.ts'
import { clients, eachRound, startRace, times, withStatus } from './race.ts'

const { operation, race, raceBehind, ...auth } = await startRace()
afterAll(() => auth.stop())

const half = clients / 2

const login = ({ email, password }: TestUser, key: TestKey) =>
  operation('login', { email, password, ...key.registration })
const logout = (key: TestKey) => operation('logout', undefined, key)
const revoke = (keyId: string, by: TestKey) => operation('revokeKey', { keyId }, by)
const revokeAll = (by: TestKey, includeCurrent = false) =>
  operation('revokeAllKeys', { includeCurrent }, by)

async function expectLive(userId: string, keys: TestKey[], keyIds: string[]) {
  expect(await auth.liveKeys(userId, keys)).toEqual({ active: keyIds, answering: keyIds })
}

describe('revokeKey and logout', () => {
  it('R11: are the end of a key, live or lapsed, that is registered again meanwhile', () =>
    eachRound(async (round) => {
      const user = await auth.signedInUser()
      const key = await auth.signIn(user)
      const isLive = round % 2 === 0
      if (!isLive) await expire(key)
      const answers = await race([
        ...times(half, () => login(user, key)),
        ...times(half, (index) =>
          index % 2 && isLive ? logout(key) : revoke(key.keyId, user.key),
        ),
      ])

      for (const { status } of answers.slice(0, half)) expect([200, 409]).toContain(status)
      await expectLive(user.userId, [user.key, key], [user.key.keyId])
      const { email, password } = user
      const again = await auth.call('login', { email, password, ...key.registration })
      expect(again.status).toBe(409)
    }))
})

async function expire({ keyId }: TestKey) {
  const expiresAt = new Date(auth.clock.now().getTime() - 1)
  await auth.auth.db.update(deviceKeys).set({ expiresAt }).where(eq(deviceKeys.keyId, keyId))
}

const leave = (key: TestKey, round: number) => (round % 2 ? logout(key) : revoke(key.keyId, key))

const isDone = ({ status }: TestAnswer) => status < 300

describe('a device that ends itself', () => {
  it('comes before its own revokeAllKeys or after it: one of them is done', () =>
    eachRound(async (round) => {
      const { userId, key } = await auth.signedInUser()
      const answers = await race([
        ...times(half, () => revokeAll(key, true)),
        ...times(half, () => leave(key, round)),
      ])
      const revoked = answers.slice(0, half).filter(isDone)

      expect(answers.slice(half).some(isDone)).toBe(revoked.length === 0)
      expect(revoked.length).toBeLessThanOrEqual(1)
      for (const { body } of revoked)
        expect(body).toEqual({ revokedCount: 1, currentKeyRevoked: true })
      await expectLive(userId, [key], [])
    }))

  it('is told so, or is counted by the device that revokes all keys, and not both', () =>
    eachRound(async (round) => {
      const user = await auth.signedInUser()
      const key = await auth.signIn(user)
      const [revoked, ...left] = await race([
        revokeAll(user.key),
        ...times(clients - 1, () => leave(key, round)),
      ])

      expect(revoked?.body.revokedCount).toBe(left.some(isDone) ? 0 : 1)
      await expectLive(user.userId, [user.key, key], [user.key.keyId])
    }))

  it('may do so again while it has not heard the answer', () =>
    eachRound(async (round) => {
      const { userId, key } = await auth.signedInUser()
      const answers = await raceBehind(
        [userId],
        times(clients, () => leave(key, round)),
        (behind) => behind(clients),
      )

      expect(answers.filter(isDone)).toHaveLength(clients)
      await expectLive(userId, [key], [])
    }))
})

describe('revokeAllKeys', () => {
  it.each([false, true])(
    'leaves no key of a login that was checked before it (its own: %s)',
    (includeCurrent) =>
      eachRound(async () => {
        const user = await auth.signedInUser()
        const keys = await Promise.all(times(clients - 1, () => createTestKey()))
        const [revoked, ...logins] = await raceBehind(
          [user.userId],
          [revokeAll(user.key, includeCurrent), ...keys.map((key) => login(user, key))],
          // One whose password is looked at only after it is a login like any other.
          (behind) => behind(clients),
        )

        expect(revoked).toMatchObject({
          status: 200,
          body: { revokedCount: includeCurrent ? 1 : 0, currentKeyRevoked: includeCurrent },
        })
        expect(withStatus(logins, 401)).toHaveLength(keys.length)
        await expectLive(user.userId, [user.key, ...keys], includeCurrent ? [] : [user.key.keyId])
      }),
  )

  it('leaves no key of a login that was done before it', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const keys = await Promise.all(times(half, () => createTestKey()))
      const [first, ...others] = await raceBehind(
        [user.userId],
        [
          login(user, keys[0] as TestKey),
          ...times(half, () => revokeAll(user.key)),
          ...keys.slice(1).map((key) => login(user, key)),
        ],
      )

      expect(first?.status).toBe(200)
      expect(withStatus(others.slice(0, half), 200)).toHaveLength(half)
      await expectLive(user.userId, [user.key, ...keys], [user.key.keyId])
    }))

  it('leaves no machine of a device that it signs out, neither asked for before it nor after', () =>
    eachRound(async (round) => {
      const user = await auth.signedInUser()
      const thief = await auth.signIn(user)
      const keys = await Promise.all(times(clients - 1, () => createTestKey()))
      const machines = keys.map(({ registration }) =>
        operation('createMachineKey', { ...registration, permissions: [] }, thief),
      )
      const [first = revokeAll(user.key), ...others] = round % 2 ? [] : machines
      const answers = await raceBehind(
        [user.userId],
        round % 2 ? [revokeAll(user.key), ...machines] : [first, revokeAll(user.key), ...others],
      )

      for (const { status } of answers) expect([200, 401]).toContain(status)
      expect(answers[0]?.status).toBe(200)
      await expectLive(user.userId, [user.key, thief, ...keys], [user.key.keyId])
    }))

  it('leaves one of two devices that sign each other out', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const devices = [user.key, await auth.signIn(user)] as const
      const answers = await race(times(clients, (index) => revokeAll(devices[index % 2 ? 1 : 0])))

      const winner = answers.findIndex(({ status }) => status === 200) % 2
      for (const [index, { status }] of answers.entries()) {
        expect(status).toBe(index % 2 === winner ? 200 : 401)
      }
      await expectLive(user.userId, [...devices], [devices[winner ? 1 : 0].keyId])
    }))

  it('is the last that a device it signs out could do: of sixteen requests under way, none acts after', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const thief = await auth.signIn(user)
      const keys = await Promise.all(times(6, () => createTestKey()))
      const [revoked, ...others] = await raceBehind(
        [user.userId],
        [
          revokeAll(user.key),
          ...keys.slice(0, 3).map((key) => operation('rotateKey', key.registration, thief)),
          ...keys.slice(3).map((key) => login(user, key)),
          ...times(3, () => revoke(user.key.keyId, thief)),
          ...times(3, () => revokeAll(thief)),
          ...times(3, (index) =>
            operation(
              'changePassword',
              { currentPassword: user.password, newPassword: `taken over ${index}` },
              thief,
            ),
          ),
        ],
      )

      expect(revoked?.status).toBe(200)
      expect(withStatus(others, 401)).toHaveLength(others.length)
      await expectLive(user.userId, [user.key, thief, ...keys], [user.key.keyId])
      await auth.signIn(user)
    }))
})
