import { and, eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { auditEvents } from '../../audit/schema.ts'
import { type BoundUser, bindingOf } from '../../key-binding/testing/binding.ts'
import { createTestKey, type TestAnswer, type TestKey } from '../../testing.ts'
import { createTestAuthenticator } from '../../webauthn/testing/test-authenticator.ts'
import { clients, eachRound, startRace, times, withStatus } from './race.ts'

const { operation, race, raceBehind, ...auth } = await startRace()
afterAll(() => auth.stop())
auth.instances[1].clock.set(auth.clock.now())

const { boundUser, askToUnbind, sign } = bindingOf(auth)
const half = clients / 2
const day = 86_400_000

// One that is synced says zero for ever: no counter tells two of its signatures apart, so the key has to.
const synced = () => boundUser(createTestAuthenticator({ counter: 'zero' }))

const newKeys = (number: number) => Promise.all(times(number, () => createTestKey()))

async function renewal({ key, authenticator }: BoundUser, next: TestKey) {
  const response = await sign(key, authenticator)
  const body = { expiredKeyId: key.keyId, response, ...next.registration }
  return operation('sessionRenewVerify', body, key)
}

const renewals = (user: BoundUser, next: readonly TestKey[]) =>
  Promise.all(next.map((each) => renewal(user, each)))

async function unbinding({ key, authenticator }: BoundUser) {
  const response = authenticator.sign(await askToUnbind(key))
  return operation('setSessionBinding', { mode: 'none', response }, key)
}

const successors = (answers: readonly TestAnswer[]) =>
  withStatus(answers, 200).map(({ body }) => body.keyId as string)

async function expectLive(userId: string, keys: TestKey[], keyIds: string[]) {
  expect(await auth.liveKeys(userId, keys)).toEqual({ active: keyIds, answering: keyIds })
}

const stateOf = async ({ userId }: BoundUser, keyId: string) =>
  (await auth.keysOf(userId)).find((row) => row.keyId === keyId)

describe('sessionRenewVerify', () => {
  it('R23: puts one new key in the place of one that is renewed sixteen times (A-254)', () =>
    eachRound(async () => {
      const user = await synced()
      const next = await newKeys(clients)
      const answers = await race(await renewals(user, next))

      expect(successors(answers)).toHaveLength(1)
      const refused = withStatus(answers, 401).map(({ body }) => body.error.code)
      expect(refused).toEqual(times(clients - 1, () => 'SessionRenewalRefusedError'))
      await expectLive(user.userId, [user.key, ...next], successors(answers))
      expect(await auth.keysOf(user.userId)).toHaveLength(2)
    }))

  it('spends a challenge once', () =>
    eachRound(async () => {
      const user = await synced()
      const next = await newKeys(clients)
      const response = await sign(user.key, user.authenticator)
      const answers = await race(
        next.map(({ registration }) => {
          const body = { expiredKeyId: user.key.keyId, response, ...registration }
          return operation('sessionRenewVerify', body, user.key)
        }),
      )
      expect(successors(answers)).toHaveLength(1)
    }))

  it('leaves no new key of one that another device revokes meanwhile', () =>
    eachRound(async () => {
      const user = await synced()
      const other = await auth.signIn(user)
      const next = await newKeys(half)
      const [revoked, ...renewed] = await race([
        operation('revokeKey', { keyId: user.key.keyId }, other),
        ...(await renewals(user, next)),
      ])

      expect(revoked?.status).toBe(200)
      expect(successors(renewed).length).toBeLessThanOrEqual(1)
      await expectLive(user.userId, [user.key, other, ...next], [other.keyId])
    }))

  it('and the end of the binding: one of the two is done (A-256)', () =>
    eachRound(async (round) => {
      const user = await synced()
      const next = await newKeys(half)
      const off = await Promise.all(times(half, () => unbinding(user)))
      const on = await renewals(user, next)
      const contestants = [...off, ...on]
      if (round % 2 === 1) contestants.reverse()
      const answers = await raceBehind([user.userId], contestants)
      const unbound = withStatus(answers, 200).filter(({ body }) => body.mode === 'none')
      const renewed = successors(withStatus(answers, 200).filter(({ body }) => body.keyId))

      if (unbound.length > 0) {
        expect(renewed).toEqual([])
        const free = { state: 'active', binding: null }
        expect(await stateOf(user, user.key.keyId)).toMatchObject(free)
      } else {
        expect(renewed).toHaveLength(1)
        const bound = { state: 'active', binding: 'passkey' }
        expect(await stateOf(user, renewed[0] ?? '')).toMatchObject(bound)
      }
      const live = unbound.length > 0 ? [user.key.keyId] : renewed
      await expectLive(user.userId, [user.key, ...next], live)
    }))

  it('leaves no key when another device revokes all keys', () =>
    eachRound(async (round) => {
      const user = await synced()
      const other = await auth.signIn(user)
      const next = await newKeys(clients - 1)
      const contestants = [
        operation('revokeAllKeys', { includeCurrent: true }, other),
        ...(await renewals(user, next)),
      ]
      if (round % 2 === 1) contestants.reverse()
      const answers = await raceBehind([user.userId], contestants)

      expect(answers.filter(({ body }) => body.revokedCount)).toHaveLength(1)
      // A deadlock would be 503: both take the account first.
      expect(withStatus(answers, 503)).toEqual([])
      await expectLive(user.userId, [user.key, other, ...next], [])
    }))

  it('and rotation put one key in its place, and a rotation moves no window (A-256)', () =>
    eachRound(async (round) => {
      const user = await synced()
      const window = (await stateOf(user, user.key.keyId))?.expiresAt
      for (const { clock } of auth.instances) clock.advance('1h')
      const [rotated, renewed] = [await newKeys(half), await newKeys(half)]
      const contestants = [
        ...rotated.map((each) => operation('rotateKey', each.registration, user.key)),
        ...(await renewals(user, renewed)),
      ]
      if (round % 2 === 1) contestants.reverse()
      const answers = await raceBehind([user.userId], contestants)
      const [successor = '', ...others] = successors(answers)

      expect(others).toEqual([])
      const wasRotated = rotated.some(({ keyId }) => keyId === successor)
      const fresh = new Date(auth.clock.now().getTime() + day)
      const { binding, expiresAt } = (await stateOf(user, successor)) ?? {}
      expect({ binding, expiresAt }).toEqual({
        binding: 'passkey',
        expiresAt: wasRotated ? window : fresh,
      })
      await expectLive(user.userId, [user.key, ...rotated, ...renewed], [successor])
    }))
})

describe('setSessionBinding', () => {
  it('opens one window for sixteen that bind at once (A-250)', () =>
    eachRound(async () => {
      const { key, authenticator } = await synced()
      const response = authenticator.sign(await askToUnbind(key))
      await auth.call('setSessionBinding', { mode: 'none', response }, key)
      const bind = operation('setSessionBinding', { mode: 'passkey' }, key)
      const answers = await race(times(clients, () => bind))
      const ends = withStatus(answers, 200).map(({ body }) => body.keyExpiresAtMillis)
      expect(ends).toHaveLength(clients)
      expect(new Set(ends).size).toBe(1)
      const ofKey = and(eq(auditEvents.target, key.keyId), eq(auditEvents.act, 'session.bound'))
      // The first was before the race.
      expect(await auth.auth.db.$count(auditEvents, ofKey)).toBe(2)
    }))
})
