import { putTestCode } from '../../../codes/testing/codes.ts'
import { done } from '../../../test-answers.ts'
import { testPassword as password } from '../../../testing.ts'
import type { Lives, Stage } from './stage.ts'

const params = { provider: 'addresses' }

/** Ways in: an address, a link, a password, a device, a passkey, a provider. */
export function entering(stage: Stage): Lives {
  const { auth, call, keyFields, mailed, newEmail, ofUser, passkeys, tokenFor } = stage
  const signupToken = () =>
    mailed('signup-link', () => call('requestSignupLink', { email: newEmail() }))
  const ofDevice = ofUser(async () => ({ userCode: (await stage.devices.start()).userCode }))

  return {
    verifyCode: async () => {
      const [target, purpose] = [newEmail(), 'registration' as const]
      const identifier = stage.identifierOf(target)
      const code = await putTestCode(auth.auth, { identifier, purpose })
      return { body: { target, targetType: 'email', purpose, code } }
    },
    register: async () => {
      const email = newEmail()
      const verificationToken = await tokenFor(email, 'registration')
      return { body: { email, password, verificationToken, ...(await keyFields()) } }
    },
    requestSignupLink: async () => ({ body: { email: newEmail() } }),
    confirmSignupLink: async () => ({ body: { token: await signupToken() } }),
    completeSignup: async () => {
      const { setupSecret } = (await call('confirmSignupLink', { token: await signupToken() })).body
      return { body: { setupSecret, password, ...(await keyFields()) } }
    },
    login: async () => {
      const { email } = await auth.createUser()
      return { body: { email, password, ...(await keyFields()) } }
    },
    logout: ofUser(() => ({})),
    startDeviceAuth: async () => ({ body: await keyFields() }),
    pollDeviceAuth: async () => {
      const device = await stage.devices.approvedBy(await auth.signedInUser())
      return { body: { deviceCode: device.deviceCode } }
    },
    getDeviceAuthInfo: ofDevice,
    approveDeviceAuth: ofDevice,
    denyDeviceAuth: ofDevice,
    passkeyLoginVerify: async () => {
      const { device } = await stage.withPasskey()
      const response = device.sign(await passkeys.loginOptions())
      return { body: { response, ...(await keyFields()) } }
    },
    getProviderOAuthUrl: async () => ({ params, body: { returnUrl: '/' } }),
    start: async () => ({ body: { ...params, returnUrl: '/', ...(await keyFields()) } }),
    redirectToProvider: async () => ({ params }),
    oauthCallback: async () => ({
      params,
      query: { state: await stage.browser.stateFor(), code: newEmail() },
    }),
    finalize: async () => {
      const pendingToken = await stage.browser.pendingTokenOf(newEmail())
      return { body: { pendingToken, ...(await keyFields()) } }
    },
    oauthNative: async () => {
      const fields = await keyFields()
      return { params, body: { idToken: newEmail(), nonce: fields.fingerprint, ...fields } }
    },
    cancelAccountDeletion: async () => {
      const { key, email } = await auth.signedInUser()
      await done(call('requestAccountDeletion', { password }, key))
      return { body: { email, password } }
    },
  }
}
