import { afterAll, expect, it } from 'vitest'
import { bindingOf } from '../../key-binding/testing/binding.ts'
import { enrolledUser, waitingSignIn, withKeyring } from '../../mfa/testing/test-second-factor.ts'
import { passkeysOf } from '../../passkeys/testing/test-passkeys.ts'
import { createTestKey } from '../../testing.ts'
import { eachRound, startRace } from './race.ts'

const { operation, race, ...auth } = await startRace({ env: withKeyring() })
afterAll(() => auth.stop())
const { call } = auth
const passkeys = passkeysOf(auth)
const binding = bindingOf(auth)

/** Somebody with a factor of each kind, sign-ins that wait, and a session that is about to be renewed. */
async function owner() {
  const user = await enrolledUser(auth)
  const { device, passkeyId } = await passkeys.enrol(user)
  await call('mfaMarkPasskey', { passkeyId, secondFactor: true }, user.key)
  return { ...user, device, passkeyId }
}

it('no two acts on an account at once wait for each other without end (A-247)', () =>
  eachRound(async () => {
    const user = await owner()
    const { key, device, passkeyId, recoveryCodes, password } = user
    const waiting = await Promise.all([1, 2, 3, 4].map(() => waitingSignIn(auth, user)))
    const forStepUp = device.sign((await call('mfaStepUpOptions', {}, key)).body)
    await binding.bind(key)
    const response = await binding.sign(key, device)
    const { registration } = await createTestKey()
    const renewal = { expiredKeyId: key.keyId, response, ...registration }

    const answers = await race([
      ...waiting.map(({ challenge }, index) =>
        operation('mfaVerify', { challenge, recoveryCode: recoveryCodes[index] }),
      ),
      ...waiting.map(({ challenge }) => operation('mfaVerify', { challenge, code: '000000' })),
      operation('mfaStepUp', { recoveryCode: recoveryCodes[5] }, key),
      operation('mfaStepUp', { response: forStepUp }, key),
      operation('mfaRegenerateRecoveryCodes', {}, key),
      operation('mfaMarkPasskey', { passkeyId, secondFactor: false }, key),
      operation('revokePasskey', { passkeyId }, key),
      operation('sessionRenewVerify', renewal, key),
      operation('revokeAllKeys', {}, key),
      operation(
        'changePassword',
        { currentPassword: password, newPassword: `new ${password}` },
        key,
      ),
    ])
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    expect(answers.some(({ status }) => status < 300)).toBe(true)
  }))
