import { afterAll, describe, expect, it } from 'vitest'
import { createTestKey, type TestKey } from '../../testing.ts'
import { clients, eachRound, startRace, times, withStatus } from './race.ts'

const { operation, race, raceBehind, ...auth } = await startRace()
afterAll(() => auth.stop())

interface Credentials {
  email: string
  password: string
}

const login = ({ email, password }: Credentials, key: TestKey) =>
  operation('login', { email, password, ...key.registration })

const newPassword = (index = 0) => `another horse battery staple ${index}`

const change = (currentPassword: string, key: TestKey, index = 0) =>
  operation('changePassword', { currentPassword, newPassword: newPassword(index) }, key)

/** Which of these passwords signs in by now. */
async function passwordsOf(email: string, passwords: string[]) {
  const tried = await Promise.all(
    passwords.map(async (password) => {
      const key = await createTestKey()
      const { status } = await auth.call('login', { email, password, ...key.registration })
      return { password, status }
    }),
  )
  return tried.filter(({ status }) => status === 200).map(({ password }) => password)
}

describe('a password change', () => {
  it('leaves no key of a login with the old password that races it', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const keys = await Promise.all(times(clients - 1, () => createTestKey()))
      const [changed, ...logins] = await race([
        change(user.password, user.key),
        ...keys.map((key) => login(user, key)),
      ])

      expect(changed?.status).toBe(204)
      for (const { status } of logins) expect([200, 401]).toContain(status)
      const survivor = [user.key.keyId]
      expect(await auth.liveKeys(user.userId, [user.key, ...keys])).toEqual({
        active: survivor,
        answering: survivor,
      })
      const passwords = [user.password, newPassword()]
      expect(await passwordsOf(user.email, passwords)).toEqual([newPassword()])
    }))

  it('refuses every login whose password was right a moment ago', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const keys = await Promise.all(times(clients - 1, () => createTestKey()))
      const [changed, ...logins] = await raceBehind(
        [user.userId],
        [change(user.password, user.key), ...keys.map((key) => login(user, key))],
      )

      expect(changed?.status).toBe(204)
      expect(withStatus(logins, 401)).toHaveLength(keys.length)
      const survivor = [user.key.keyId]
      expect(await auth.liveKeys(user.userId, [user.key, ...keys])).toEqual({
        active: survivor,
        answering: survivor,
      })
    }))

  it('leaves no successor of another device’s key that rotates meanwhile', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const rotating = await auth.signIn(user)
      const keys = await Promise.all(times(clients - 1, () => createTestKey()))
      const [changed, ...rotated] = await race([
        change(user.password, user.key),
        ...keys.map((key) => operation('rotateKey', key.registration, rotating)),
      ])

      expect(changed?.status).toBe(204)
      expect(withStatus(rotated, 200).length).toBeLessThanOrEqual(1)
      const survivor = [user.key.keyId]
      expect(await auth.liveKeys(user.userId, [user.key, rotating, ...keys])).toEqual({
        active: survivor,
        answering: survivor,
      })
    }))

  it('is done once when two devices change it sixteen times', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const devices = [user.key, await auth.signIn(user)] as const
      const answers = await race(
        times(clients, (index) => change(user.password, devices[index % 2 ? 1 : 0], index)),
      )

      const winner = answers.findIndex(({ status }) => status === 204)
      expect(withStatus(answers, 204)).toHaveLength(1)
      expect(withStatus(answers, 401)).toHaveLength(clients - 1)
      const survivor = [devices[winner % 2 ? 1 : 0].keyId]
      expect(await auth.liveKeys(user.userId, devices)).toEqual({
        active: survivor,
        answering: survivor,
      })
      const passwords = [user.password, ...times(clients, newPassword)]
      expect(await passwordsOf(user.email, passwords)).toEqual([newPassword(winner)])
    }))
})
