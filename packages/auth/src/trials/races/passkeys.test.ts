import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { users } from '../../accounts/schema.ts'
import { passkeys } from '../../passkeys/schema.ts'
import { passkeysOf } from '../../passkeys/testing/test-passkeys.ts'
import { createTestKey, type TestKey } from '../../testing.ts'
import { createTestAuthenticator } from '../../webauthn/testing/test-authenticator.ts'
import { clients, eachRound, startRace, times, withStatus } from './race.ts'

const { operation, race, ...auth } = await startRace()
afterAll(() => auth.stop())
const { db } = auth.auth
const { enrol, loginOptions, registerOptions, rowOf, list } = passkeysOf(auth)

const present = (response: object, { registration }: TestKey) =>
  operation('passkeyLoginVerify', { response, ...registration })

const revoke = (passkeyId: string, key: TestKey) => operation('revokePasskey', { passkeyId }, key)

const newKeys = () => Promise.all(times(clients, () => createTestKey()))

const noOtherWay = { passwordHash: null, emailVerifiedAt: null }
const set = ({ userId }: { userId: string }, values: Partial<typeof users.$inferInsert>) =>
  db.update(users).set(values).where(eq(users.userId, userId))

describe('a passkey', () => {
  it('R21: signs in once with one challenge', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const { device, passkeyId } = await enrol(user)
      const response = device.sign(await loginOptions())
      const keys = await newKeys()
      const answers = await race(keys.map((key) => present(response, key)))

      expect(withStatus(answers, 200)).toHaveLength(1)
      expect(withStatus(answers, 401)).toHaveLength(clients - 1)
      expect(await auth.keysOf(user.userId)).toHaveLength(2)
      expect(await rowOf(passkeyId)).toMatchObject({ counter: 2 })
    }))

  it('signs in once with one count, with any challenges (R21)', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const { device, passkeyId } = await enrol(user)
      const copies = times(clients, () => device.clone())
      const responses = await Promise.all(
        copies.map(async (copy) => copy.sign(await loginOptions())),
      )
      const keys = await newKeys()
      const answers = await race(keys.map((key, index) => present(responses[index] as object, key)))

      expect(withStatus(answers, 200)).toHaveLength(1)
      expect(withStatus(answers, 401)).toHaveLength(clients - 1)
      expect(await auth.keysOf(user.userId)).toHaveLength(2)
      expect(await rowOf(passkeyId)).toMatchObject({ counter: 2 })
    }))

  it('never counts down while its owner signs in everywhere at once (R21)', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const { device, passkeyId } = await enrol(user)
      const challenges = await Promise.all(times(clients, () => loginOptions()))
      const responses = challenges.map((options) => device.sign(options))
      const keys = await newKeys()
      const answers = await race(keys.map((key, index) => present(responses[index] as object, key)))

      const won = answers.flatMap(({ status }, index) => (status === 200 ? [index] : []))
      expect(won.length).toBeGreaterThan(0)
      // The first answer counts 2.
      expect(await rowOf(passkeyId)).toMatchObject({ counter: (won.at(-1) as number) + 2 })
    }))

  it('that is synced signs in everywhere at once (R21)', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const { device } = await enrol(user, createTestAuthenticator({ counter: 'zero' }))
      const challenges = await Promise.all(times(clients, () => loginOptions()))
      const keys = await newKeys()
      const answers = await race(
        keys.map((key, index) => present(device.sign(challenges[index]), key)),
      )
      expect(withStatus(answers, 200)).toHaveLength(clients)
    }))

  it('is put in once with one challenge', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const response = createTestAuthenticator().register((await registerOptions(user.key)).body)
      const put = operation('passkeyRegisterVerify', { response }, user.key)
      const answers = await race(times(clients, () => put))

      expect(withStatus(answers, 200)).toHaveLength(1)
      expect(withStatus(answers, 401)).toHaveLength(clients - 1)
      expect(await list(user)).toHaveLength(1)
    }))
})

describe('of the last ways into an account', () => {
  it('one of sixteen passkeys stays (R22)', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const row = (await rowOf((await enrol(user)).passkeyId)) as typeof passkeys.$inferSelect
      const others = times(clients - 1, () => ({
        ...row,
        passkeyId: randomUUID(),
        credentialId: randomUUID(),
      }))
      await db.insert(passkeys).values(others)
      const ids = [row, ...others].map(({ passkeyId }) => passkeyId)
      await set(user, noOtherWay)
      const answers = await race(ids.map((passkeyId) => revoke(passkeyId, user.key)))

      expect(withStatus(answers, 200)).toHaveLength(clients - 1)
      expect(withStatus(answers, 409)).toHaveLength(1)
      expect(await list(user)).toHaveLength(1)
    }))

  it('R22: one of two passkeys stays when both are revoked from everywhere', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const ids = [(await enrol(user)).passkeyId, (await enrol(user)).passkeyId] as const
      await set(user, noOtherWay)
      const answers = await race(
        times(clients, (index) => revoke(ids[index % 4 < 2 ? 0 : 1], user.key)),
      )

      expect(withStatus(answers, 200)).toHaveLength(1)
      expect(await list(user)).toHaveLength(1)
    }))

  it('none goes while a passkey is being put in its place, unless that is there (R22)', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const { passkeyId } = await enrol(user)
      const response = createTestAuthenticator().register((await registerOptions(user.key)).body)
      await set(user, noOtherWay)
      const [put, ...revoked] = await race([
        operation('passkeyRegisterVerify', { response }, user.key),
        ...times(clients - 1, () => revoke(passkeyId, user.key)),
      ])

      expect(put?.status).toBe(200)
      const gone = withStatus(revoked, 200).length
      expect(await list(user)).toHaveLength(2 - gone)
    }))
})
