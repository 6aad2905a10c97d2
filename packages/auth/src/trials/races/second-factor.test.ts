import { and, eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { auditEvents } from '../../audit/schema.ts'
import {
  authenticatorApp,
  enrolledUser,
  waitingSignIn,
  withKeyring,
} from '../../mfa/testing/test-second-factor.ts'
import { passkeysOf } from '../../passkeys/testing/test-passkeys.ts'
import { createTestKey, type TestUser } from '../../testing.ts'
import { createTestAuthenticator } from '../../webauthn/testing/test-authenticator.ts'
import { clients, eachRound, startRace, times, withStatus } from './race.ts'

const { operation, race, raceBehind, ...auth } = await startRace({ env: withKeyring() })
afterAll(() => auth.stop())
const { call, instances } = auth
const { db } = auth.auth
const passkeys = passkeysOf(auth)

/** Both instances look at one clock, as their codes do. */
const clock = {
  ...auth.clock,
  now: () => auth.clock.now(),
  advance: (by: string | number) => {
    for (const instance of instances) instance.clock.advance(by)
  },
}
const user = () => enrolledUser({ ...auth, clock })

const stepUp = (proof: object, { key }: Pick<TestUser, 'key'>) => operation('mfaStepUp', proof, key)
const remainingOf = async ({ key }: TestUser) =>
  (await call('mfaStatus', undefined, key)).body.recoveryCodesRemaining
const stateOf = async ({ userId }: TestUser, keyId: string) =>
  (await auth.keysOf(userId)).find((key) => key.keyId === keyId)?.state

/** How many proofs were looked at and found wrong: those that were not looked at leave no trace. */
const refusalsOf = async ({ userId }: TestUser, act: string) => {
  const { actor, target, outcome } = auditEvents
  const whose = act === 'login' ? target : actor
  const refused = and(eq(auditEvents.act, act), eq(outcome, 'refused'), eq(whose, userId))
  const rows = await db.select().from(auditEvents).where(refused)
  return rows.reduce((sum, row) => sum + row.times, 0)
}

describe('a code of an authenticator app', () => {
  it('R16: is taken once when sixteen bring it', () =>
    eachRound(async () => {
      const owner = await user()
      const code = owner.code()
      const answers = await race(times(clients, () => stepUp({ code }, owner)))

      expect(withStatus(answers, 204)).toHaveLength(1)
      expect(withStatus(answers, 401)).toHaveLength(clients - 1)
    }))

  it('is not taken after a later one', () =>
    eachRound(async () => {
      const owner = await user()
      clock.advance('1m')
      const [older, newer] = [owner.codeAt(-30_000), owner.codeAt()]
      const behind = times(clients - 1, () => stepUp({ code: older }, owner))
      const answers = await raceBehind([owner.userId], [stepUp({ code: newer }, owner), ...behind])

      expect(answers.map(({ status }) => status)).toEqual([204, ...behind.map(() => 401)])
    }))
})

describe('a first factor', () => {
  it('is proved by a caller who asks for what it guards, and asked before it was there (A-247)', () =>
    eachRound(async () => {
      const owner = await auth.signedInUser()
      const thief = await auth.signIn(owner)
      const { passkeyId } = await passkeys.enrol(owner)
      const options = (await passkeys.registerOptions(thief)).body
      const response = createTestAuthenticator().register(options)
      const { userCode } = (await call('startDeviceAuth', (await createTestKey()).registration))
        .body
      const { secret } = (await call('mfaTotpEnroll', {}, owner.key)).body
      const code = authenticatorApp({ clock }, secret).code()

      const answers = await raceBehind(
        [owner.userId],
        [
          operation('mfaTotpConfirm', { code }, owner.key),
          operation('approveDeviceAuth', { userCode }, thief),
          operation('passkeyRegisterVerify', { response }, thief),
          operation('revokePasskey', { passkeyId }, thief),
        ],
      )
      expect(answers.map(({ status }) => status)).toEqual([200, 403, 403, 403])
    }))
})

describe('an app that waits for its first code', () => {
  it('is not there any more once the second factor was turned off', () =>
    eachRound(async () => {
      const { key, userId } = await auth.signedInUser()
      const { secret } = (await call('mfaTotpEnroll', {}, key)).body
      const code = authenticatorApp({ clock }, secret).code()
      const answers = await raceBehind(
        [userId],
        [operation('mfaDisable', {}, key), operation('mfaTotpConfirm', { code }, key)],
      )
      expect(answers.map(({ status }) => status)).toEqual([204, 400])
      expect(answers[1]?.body).toMatchObject({ __type: 'MfaNotEnrolledError' })
    }))
})

describe('what a device has proved', () => {
  const behind = ({ key }: TestUser) =>
    times(clients - 1, () => operation('mfaRegenerateRecoveryCodes', {}, key))

  it('is void once it has set another password, for what was under way too', () =>
    eachRound(async () => {
      const owner = await user()
      const { key, password } = owner
      const change = { currentPassword: password, newPassword: `new ${password}` }
      const [changed, ...others] = await raceBehind(
        [owner.userId],
        [operation('changePassword', change, key), ...behind(owner)],
      )
      expect(changed?.status).toBe(204)
      expect(withStatus(others, 403)).toHaveLength(others.length)
    }))

  it('stays where it has signed every other device out (decisions 16)', () =>
    eachRound(async () => {
      const owner = await user()
      const [revoked, ...others] = await raceBehind(
        [owner.userId],
        [operation('revokeAllKeys', {}, owner.key), ...behind(owner)],
      )
      expect(revoked?.status).toBe(200)
      expect(withStatus(others, 200)).toHaveLength(others.length)
    }))
})

describe('a recovery code', () => {
  it('R17: is taken once when sixteen bring it', () =>
    eachRound(async () => {
      const owner = await user()
      const [recoveryCode] = owner.recoveryCodes
      const answers = await race(times(clients, () => stepUp({ recoveryCode }, owner)))

      expect(withStatus(answers, 204)).toHaveLength(1)
      expect(withStatus(answers, 401)).toHaveLength(clients - 1)
      expect(await remainingOf(owner)).toBe(9)
    }))

  it('is dead once there are fresh ones, in each race', () =>
    eachRound(async () => {
      const owner = await user()
      const uses = owner.recoveryCodes.map((recoveryCode) => stepUp({ recoveryCode }, owner))
      const fresh = operation('mfaRegenerateRecoveryCodes', {}, owner.key)
      const [made] = await race([fresh, ...uses])

      expect(made?.status).toBe(200)
      expect(await remainingOf(owner)).toBe(10)
      const again = await Promise.all(
        owner.recoveryCodes
          .slice(0, 5)
          .map((code) => call('mfaStepUp', { recoveryCode: code }, owner.key)),
      )
      expect(withStatus(again, 401)).toHaveLength(5)
    }))
})

describe('mfaVerify', () => {
  it('R18: activates one key when sixteen bring the code', () =>
    eachRound(async () => {
      const owner = await user()
      const { key, challenge } = await waitingSignIn(auth, owner)
      const code = owner.code()
      const answers = await race(times(clients, () => operation('mfaVerify', { challenge, code })))

      expect(withStatus(answers, 200)).toHaveLength(1)
      expect(withStatus(answers, 401)).toHaveLength(clients - 1)
      const both = [owner.key.keyId, key.keyId].toSorted()
      expect((await auth.liveKeys(owner.userId, [key])).active).toEqual(both)
    }))

  it('spends one proof of five that are right', () =>
    eachRound(async () => {
      const owner = await user()
      const { challenge } = await waitingSignIn(auth, owner)
      const codes = owner.recoveryCodes.slice(0, 5)
      const answers = await race(
        codes.map((recoveryCode) => operation('mfaVerify', { challenge, recoveryCode })),
      )

      expect(withStatus(answers, 200)).toHaveLength(1)
      expect(await remainingOf(owner)).toBe(9)
    }))

  it.each(['in any order', 'before all of them'])(
    'activates nothing behind a sign-out-everywhere, %s',
    (order) =>
      eachRound(async () => {
        const owner = await user()
        const { key, challenge } = await waitingSignIn(auth, owner)
        const code = owner.code()
        const contestants = [
          operation('revokeAllKeys', {}, owner.key),
          ...times(clients - 1, () => operation('mfaVerify', { challenge, code })),
        ]
        const isFirst = order === 'before all of them'
        const answers = isFirst
          ? await raceBehind([owner.userId], contestants)
          : await race(contestants)

        expect(answers[0]?.status).toBe(200)
        expect(await auth.liveKeys(owner.userId, [key])).toMatchObject({ answering: [] })
        const isActivated = answers.slice(1).some(({ status }) => status === 200)
        expect(await stateOf(owner, key.keyId)).toBe(isActivated ? 'revoked' : 'deleted')
        if (isFirst) expect(isActivated).toBe(false)
      }),
  )
})

describe('of sixteen guesses at once', () => {
  it('R19: five at a challenge are looked at', () =>
    eachRound(async () => {
      const owner = await user()
      const { key, challenge } = await waitingSignIn(auth, owner)
      const code = owner.wrongCode()
      const answers = await race(times(clients, () => operation('mfaVerify', { challenge, code })))

      expect(withStatus(answers, 401)).toHaveLength(clients)
      expect(await refusalsOf(owner, 'login')).toBe(5)
      expect(await stateOf(owner, key.keyId)).toBe('deleted')
    }))
})

describe('of two hundred guesses at once', () => {
  it('five at a challenge are looked at', async () => {
    const owner = await user()
    const { key, challenge } = await waitingSignIn(auth, owner)
    const code = owner.wrongCode()
    const answers = await race(times(200, () => operation('mfaVerify', { challenge, code })))

    expect(withStatus(answers, 401)).toHaveLength(200)
    expect(await refusalsOf(owner, 'login')).toBe(5)
    expect(await stateOf(owner, key.keyId)).toBe('deleted')
  })

  it('twenty at an account are looked at', async () => {
    const owner = await user()
    const code = owner.wrongCode()
    const answers = await race(times(200, () => stepUp({ code }, owner)))

    expect(withStatus(answers, 401)).toHaveLength(20)
    expect(withStatus(answers, 429)).toHaveLength(180)
    expect(await refusalsOf(owner, 'mfa.step_up')).toBe(20)
  })
})

describe('an authenticator app', () => {
  it('R20: is confirmed once, with one set of codes, when sixteen confirm it', () =>
    eachRound(async () => {
      const owner = await auth.signedInUser()
      const { body } = await call('mfaTotpEnroll', {}, owner.key)
      const code = authenticatorApp(auth, body.secret).codeAt()
      const answers = await race(
        times(clients, () => operation('mfaTotpConfirm', { code }, owner.key)),
      )

      const [confirmed, ...more] = withStatus(answers, 200)
      expect(more).toEqual([])
      expect(await remainingOf(owner)).toBe(10)
      const recoveryCodes: string[] = confirmed?.body.recoveryCodes
      for (const recoveryCode of recoveryCodes.slice(0, 3)) {
        expect((await call('mfaStepUp', { recoveryCode }, owner.key)).status).toBe(204)
      }
    }))

  it('has one secret when sixteen are made', () =>
    eachRound(async () => {
      const owner = await auth.signedInUser()
      const answers = await race(times(clients, () => operation('mfaTotpEnroll', {}, owner.key)))
      expect(withStatus(answers, 200)).toHaveLength(clients)

      const codes = answers.map(({ body }) => authenticatorApp(auth, body.secret).codeAt())
      const confirmed = await race(
        codes.map((code) => operation('mfaTotpConfirm', { code }, owner.key)),
      )
      expect(withStatus(confirmed, 200)).toHaveLength(1)
    }))
})
