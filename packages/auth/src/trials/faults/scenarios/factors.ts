import { authenticatorApp, enrolledUser } from '../../../mfa/testing/test-second-factor.ts'
import { done } from '../../../test-answers.ts'
import { createTestAuthenticator } from '../../../webauthn/testing/test-authenticator.ts'
import { type Scenario, type Stage, scenario, spends } from './stage.ts'

async function withPasskey(stage: Stage) {
  const user = await stage.signedInUser()
  return { ...user, ...(await stage.passkeys.enrol(user)) }
}

async function enrolledWithPasskey(stage: Stage) {
  const user = await enrolledUser(stage)
  const { passkeyId } = await stage.passkeys.enrol(user)
  await stage.passkeys.mark(passkeyId)
  return user
}

/** Passkeys and the second factor. */
export const factorScenarios = {
  passkeyRegisterOptions: scenario(
    async ({ ask, signedInUser }) => ask('passkeyRegisterOptions', {}, (await signedInUser()).key),
    '200',
  ),
  passkeyRegisterVerify: scenario(
    async ({ ask, passkeys, signedInUser }) => {
      const { key } = await signedInUser()
      const { body } = await passkeys.registerOptions(key)
      const response = createTestAuthenticator().register(body)
      return ask('passkeyRegisterVerify', { response }, key)
    },
    '401 PasskeyChallengeError',
    spends('register', '401 PasskeyChallengeError'),
  ),
  renamePasskey: scenario(async (stage) => {
    const { key, passkeyId } = await withPasskey(stage)
    return stage.ask('renamePasskey', { passkeyId, label: 'mine' }, key)
  }, '200'),
  revokePasskey: scenario(async (stage) => {
    const { key, passkeyId } = await withPasskey(stage)
    return stage.ask('revokePasskey', { passkeyId }, key)
  }, '404 PasskeyNotFoundError'),
  mfaTotpEnroll: scenario(
    async ({ ask, signedInUser }) => ask('mfaTotpEnroll', {}, (await signedInUser()).key),
    '200',
  ),
  mfaTotpConfirm: scenario(async (stage) => {
    const { key } = await stage.signedInUser()
    const { secret } = await done(stage.call('mfaTotpEnroll', {}, key))
    return stage.ask('mfaTotpConfirm', { code: authenticatorApp(stage, secret).code() }, key)
  }, '409 MfaAlreadyEnrolledError'),
  mfaDisable: scenario(
    async (stage) => stage.ask('mfaDisable', undefined, (await enrolledUser(stage)).key),
    '204',
  ),
  mfaMarkPasskey: scenario(async (stage) => {
    const user = await enrolledUser(stage)
    const { passkeyId } = await stage.passkeys.enrol(user)
    return stage.ask('mfaMarkPasskey', { passkeyId, secondFactor: true }, user.key)
  }, '200'),
  mfaRegenerateRecoveryCodes: scenario(
    async (stage) => stage.ask('mfaRegenerateRecoveryCodes', {}, (await enrolledUser(stage)).key),
    '200',
  ),
  mfaStepUpOptions: scenario(
    async (stage) => stage.ask('mfaStepUpOptions', {}, (await enrolledWithPasskey(stage)).key),
    '200',
  ),
  mfaStepUp: scenario(async (stage) => {
    const user = await enrolledUser(stage)
    return stage.ask('mfaStepUp', { code: user.code() }, user.key)
  }, '401 MfaVerificationFailedError'),
  proveRecentOptions: scenario(
    async (stage) => stage.ask('proveRecentOptions', {}, (await withPasskey(stage)).key),
    '200',
  ),
  proveRecent: scenario(async ({ ask, signedInUser }) => {
    const { key, password } = await signedInUser()
    return ask('proveRecent', { password }, key)
  }, '204'),
} satisfies Record<string, Scenario>
