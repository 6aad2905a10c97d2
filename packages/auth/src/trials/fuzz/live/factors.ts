import { authenticatorApp, waitingSignIn } from '../../../mfa/testing/test-second-factor.ts'
import { done } from '../../../test-answers.ts'
import type { TestKey } from '../../../testing.ts'
import { createTestAuthenticator } from '../../../webauthn/testing/test-authenticator.ts'
import type { Lives, Stage } from './stage.ts'

/** Passkeys, the second factor, and sessions that are bound. */
export function factors(stage: Stage): Lives {
  const { auth, call, keyFields, ofUser, passkeys, sessions, withPasskey } = stage

  /** The clock is everybody's here, so nobody moves it. */
  async function firstCode(key: TestKey) {
    const { secret } = await done(call('mfaTotpEnroll', {}, key))
    return authenticatorApp(auth, secret).codeAt()
  }
  async function enrolled() {
    const user = await auth.signedInUser()
    const code = await firstCode(user.key)
    const { recoveryCodes } = await done(call('mfaTotpConfirm', { code }, user.key))
    return { ...user, recoveryCodes: recoveryCodes as string[] }
  }

  return {
    passkeyRegisterVerify: ofUser(async ({ key }) => {
      const options = await done(passkeys.registerOptions(key))
      return { response: createTestAuthenticator().register(options) }
    }),
    renamePasskey: async () => {
      const { user, passkeyId } = await withPasskey()
      return { key: user.key, body: { passkeyId, label: 'mine' } }
    },
    revokePasskey: async () => {
      const { user, passkeyId } = await withPasskey()
      return { key: user.key, body: { passkeyId } }
    },
    mfaTotpConfirm: ofUser(async ({ key }) => ({ code: await firstCode(key) })),
    mfaTotpEnroll: ofUser(() => ({})),
    mfaMarkPasskey: async () => {
      const { user, passkeyId } = await withPasskey()
      return { key: user.key, body: { passkeyId, secondFactor: true } }
    },
    mfaRegenerateRecoveryCodes: async () => ({ key: (await enrolled()).key, body: {} }),
    mfaStepUp: async () => {
      const { key, recoveryCodes } = await enrolled()
      return { key, body: { recoveryCode: recoveryCodes[0] } }
    },
    mfaVerify: async () => {
      const user = await enrolled()
      const { challenge } = await waitingSignIn(auth, user)
      return { body: { challenge, recoveryCode: user.recoveryCodes[0] } }
    },
    mfaStepUpOptions: async () => {
      const { user, passkeyId } = await withPasskey()
      await passkeys.mark(passkeyId)
      return { key: user.key, body: {} }
    },
    setSessionBinding: async () => {
      const { user } = await withPasskey()
      return { key: user.key, body: { mode: 'passkey' } }
    },
    sessionBindingDisableOptions: async () => ({ key: (await sessions.boundUser()).key, body: {} }),
    sessionRenewOptions: async () => {
      const { key } = await sessions.boundUser()
      return { key, body: { expiredKeyId: key.keyId } }
    },
    sessionRenewVerify: async () => {
      const { key, authenticator } = await sessions.boundUser()
      const response = await sessions.sign(key, authenticator)
      return { key, body: { expiredKeyId: key.keyId, response, ...(await keyFields()) } }
    },
  }
}
