import { enrolledUser, waitingSignIn } from '../../../mfa/testing/test-second-factor.ts'
import { somebody } from '../../../social/browser/testing/test-provider.ts'
import { createTestKey, testPassword } from '../../../testing.ts'
import { createTestAuthenticator } from '../../../webauthn/testing/test-authenticator.ts'
import { type Scenario, type Stage, scenario, spends } from './stage.ts'

const proof = (target: string, purpose: string) => ({ target, targetType: 'email', purpose })

async function waiting(stage: Stage) {
  const user = await enrolledUser(stage)
  return { user, ...(await waitingSignIn(stage, user)) }
}

async function withPasskey(stage: Stage, authenticator = createTestAuthenticator()) {
  const user = await stage.signedInUser()
  return { user, ...(await stage.passkeys.enrol(user, authenticator)) }
}

/** Ways in, as far as somebody has a key. */
export const signInScenarios = {
  sendVerificationCode: scenario(
    async ({ ask, newAddress }) => ask('sendVerificationCode', proof(newAddress(), 'login')),
    '200',
  ),
  verifyCode: scenario(async ({ ask, createUser, requestCode }) => {
    const { email } = await createUser()
    const code = await requestCode(email)
    return ask('verifyCode', { ...proof(email, 'login'), code })
  }, '400 InvalidVerificationCodeError'),
  register: scenario(async ({ askWithNewKey, newAddress, verificationToken }) => {
    const email = newAddress()
    const token = await verificationToken(email, 'registration')
    return askWithNewKey('register', { email, password: testPassword, verificationToken: token })
  }, '400 InvalidVerificationTokenError'),
  requestSignupLink: scenario(
    async ({ ask, newAddress }) => ask('requestSignupLink', { email: newAddress() }),
    '200',
  ),
  confirmSignupLink: scenario(async ({ ask, signup, newAddress }) => {
    const token = await signup.token(newAddress())
    return ask('confirmSignupLink', { token })
  }, '400 InvalidSignupLinkError'),
  completeSignup: scenario(async ({ askWithNewKey, signup, newAddress }) => {
    const setupSecret = await signup.secret(newAddress())
    return askWithNewKey('completeSignup', { setupSecret, password: testPassword })
  }, '401 InvalidSignupSetupSessionError'),
  login: scenario(async ({ askWithNewKey, createUser }) => {
    const { email } = await createUser()
    return askWithNewKey('login', { email, password: testPassword })
  }, '200'),
  'login with a code': scenario(async ({ askWithNewKey, createUser, verificationToken }) => {
    const { email } = await createUser()
    return askWithNewKey('login', { email, verificationToken: await verificationToken(email) })
  }, '400 InvalidVerificationTokenError'),
  'login that waits': scenario(async (stage) => {
    const { email } = await enrolledUser(stage)
    return stage.askWithNewKey('login', { email, password: testPassword })
  }, '202'),
  mfaVerifyOptions: scenario(async (stage) => {
    const user = await enrolledUser(stage)
    await stage.passkeys.mark((await stage.passkeys.enrol(user)).passkeyId)
    const { challenge } = await waitingSignIn(stage, user)
    return stage.ask('mfaVerifyOptions', { challenge })
  }, '200'),
  mfaVerify: scenario(async (stage) => {
    const { user, challenge } = await waiting(stage)
    return stage.ask('mfaVerify', { challenge, code: user.code() })
  }, '401 MfaVerificationFailedError'),
  'mfaVerify with a recovery code': scenario(async (stage) => {
    const { user, challenge } = await waiting(stage)
    return stage.ask('mfaVerify', { challenge, recoveryCode: user.recoveryCodes[0] })
  }, '401 MfaVerificationFailedError'),
  startDeviceAuth: scenario(({ askWithNewKey }) => askWithNewKey('startDeviceAuth', {}), '200'),
  getDeviceAuthInfo: scenario(async ({ ask, devices, signedInUser }) => {
    const { userCode } = await devices.start()
    return ask('getDeviceAuthInfo', { userCode }, (await signedInUser()).key)
  }, '200'),
  approveDeviceAuth: scenario(async ({ ask, devices, signedInUser }) => {
    const user = await signedInUser()
    const device = await devices.start()
    await devices.info(device, user)
    return ask('approveDeviceAuth', { userCode: device.userCode }, user.key)
  }, '409 DeviceAuthAlreadyHandledError'),
  denyDeviceAuth: scenario(async ({ ask, devices, signedInUser }) => {
    const user = await signedInUser()
    const device = await devices.start()
    await devices.info(device, user)
    return ask('denyDeviceAuth', { userCode: device.userCode }, user.key)
  }, '409 DeviceAuthAlreadyHandledError'),
  pollDeviceAuth: scenario(async ({ ask, devices, signedInUser }) => {
    const { deviceCode } = await devices.approvedBy(await signedInUser())
    return ask('pollDeviceAuth', { deviceCode })
  }, '404 DeviceAuthNotFoundError'),
  passkeyLoginOptions: scenario(async ({ ask }) => ask('passkeyLoginOptions', {}), '200'),
  passkeyLoginVerify: scenario(
    async (stage) => {
      const { device } = await withPasskey(stage)
      const response = device.sign(await stage.passkeys.loginOptions())
      return stage.askWithNewKey('passkeyLoginVerify', { response })
    },
    '401 PasskeyChallengeError',
    spends('login', '401 PasskeyChallengeError'),
  ),
  oauthCallback: scenario(
    async ({ newBrowser, newAddress }) => {
      const browser = newBrowser()
      await browser.leave()
      const returning = browser.returning({ ...browser.consent(somebody({ email: newAddress() })) })
      return async (at) => returning(at)
    },
    '302 state_invalid',
    { spendsFirst: { moved: [], said: '302 state_invalid' } },
  ),
  finalize: scenario(async ({ ask, newBrowser, newAddress }) => {
    const browser = newBrowser()
    await browser.leave()
    await browser.arrive(somebody({ email: newAddress() }))
    return ask('finalize', {}, browser.key)
  }, '401 OAuthPendingSessionError'),
  'finalize with a key given later': scenario(async ({ askWithNewKey, newBrowser, newAddress }) => {
    const browser = newBrowser()
    await browser.follow()
    await browser.arrive(somebody({ email: newAddress() }))
    const pendingToken = browser.cookies.get('svc_oauth_pending')
    return askWithNewKey('finalize', { pendingToken })
  }, '401 OAuthPendingSessionError'),
  oauthNative: scenario(async ({ ask, provider, newAddress }) => {
    const { registration } = await createTestKey()
    const body = { nonce: registration.fingerprint, ...registration, idToken: newAddress() }
    return ask('oauthNative', body, undefined, { params: { provider: provider.id } })
  }, '200'),
} satisfies Record<string, Scenario>
