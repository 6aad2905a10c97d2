import { randomInt, randomUUID } from 'node:crypto'
import type { Identifier } from '../accounts/identifier.ts'
import { browserOf } from '../attacks/test-provider.ts'
import type { Purpose } from '../codes/contract.ts'
import { putTestCode } from '../codes/test-code.ts'
import { issueVerificationToken } from '../codes/verification-token.ts'
import type { AuthContract } from '../contract.ts'
import { waitingDevices } from '../device/test-waiting.ts'
import { authenticatorApp, waitingSignIn } from '../mfa/test-second-factor.ts'
import { testAgents } from '../oauth2/test-agent.ts'
import { passkeysOf } from '../passkeys/test-passkeys.ts'
import { createRevokeAllLink } from '../revoke-all/create-revoke-all-link.ts'
import { bindingOf } from '../session/test-binding.ts'
import { done } from '../test-answers.ts'
import {
  createTestKey,
  type TestAuth,
  type TestKey,
  type TestUser,
  testPassword,
} from '../testing.ts'
import { createTestAuthenticator } from '../webauthn/test-authenticator.ts'
import { mailedTokens } from './application.ts'

/** A request that is good, with all that has to be so before it. */
export interface Live {
  body?: object
  form?: object
  query?: object
  params?: Record<string, string>
  key?: TestKey
}

type Name = keyof AuthContract | 'stream'
type Make = () => Promise<Live>

/** Of a stream or a socket, for somebody new. */
export async function streamToken(auth: TestAuth): Promise<string> {
  const { key } = await auth.signedInUser()
  const url = `${auth.url}/events/token`
  const headers = await auth.signerOf(key)({ method: 'POST', url })
  const { token } = await (await fetch(url, { method: 'POST', headers })).json()
  return token
}

/** How each operation that needs something first gets it. The others are good as their schema says. */
export function liveRequests(auth: TestAuth, root: TestUser): Partial<Record<Name, Make>> {
  const { call, auth: service } = auth
  const { env } = service
  const agents = testAgents(auth)
  const passkeys = passkeysOf(auth)
  const devices = waitingDevices(auth)
  const sessions = bindingOf(auth)
  const browser = browserOf(auth)
  const password = testPassword
  const newEmail = () => `${randomUUID()}@example.com`
  const newPhone = () => `+1202${randomInt(1_000_000, 9_999_999)}`
  const keyFields = async () => (await createTestKey()).registration

  const identifierOf = (value: string): Identifier => ({
    type: value.includes('@') ? 'email' : 'phone',
    value,
  })

  async function tokenFor(target: string, purpose: Purpose) {
    const use = { identifier: identifierOf(target), purpose, generation: 0 }
    const now = auth.clock.now()
    return (await issueVerificationToken({ env }, { ...use, now })).verificationToken
  }

  async function verifyCode() {
    const [target, purpose] = [newEmail(), 'registration' as const]
    const code = await putTestCode(service, { identifier: identifierOf(target), purpose })
    return { body: { target, targetType: 'email', purpose, code } }
  }

  async function mailed(template: string, ask: () => Promise<unknown>) {
    await ask()
    await service.linkMail.close()
    return mailedTokens.get(template)?.at(-1) ?? ''
  }

  const ofUser = (body: (user: TestUser) => Promise<object> | object) => async () => {
    const user = await auth.signedInUser()
    return { key: user.key, body: await body(user) }
  }
  const ofDevice = ofUser(async () => ({ userCode: (await devices.start()).userCode }))

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

  const signupToken = () =>
    mailed('signup-link', () => call('requestSignupLink', { email: newEmail() }))
  async function resetToken() {
    const { email } = await auth.createUser()
    return mailed('password-reset', () => call('requestPasswordReset', { email }))
  }
  const invited = () =>
    mailed('invitation', () =>
      call('createInvitation', { email: newEmail(), role: 'user' }, root.key),
    )
  async function invitation() {
    const given = { email: newEmail(), role: 'user' }
    const { invitationId } = await done(call('createInvitation', given, root.key))
    return { key: root.key, body: { invitationId } }
  }
  async function undoToken() {
    const user = await auth.signedInUser()
    const email = newEmail()
    const verificationToken = await tokenFor(email, 'email_change')
    const body = { email, verificationToken, currentPassword: password }
    return mailed('contact-changed', () => call('changeEmail', body, user.key))
  }
  async function revokeAllToken() {
    const { userId } = await auth.createUser()
    return new URL((await createRevokeAllLink(userId)).url).searchParams.get('token')
  }
  async function role() {
    const name = `role-${randomUUID().slice(0, 8)}`
    const answer = await done(call('createAdminRole', { name, displayName: 'r' }, root.key))
    return { key: root.key, params: { roleId: answer.role.roleId as string } }
  }
  async function agentAsk() {
    const user = await auth.signedInUser()
    return { user, agent: await agents.register() }
  }
  async function withPasskey() {
    const user = await auth.signedInUser()
    return { user, ...(await passkeys.enrol(user)) }
  }
  const asked = async () => agents.asked(await agents.register(), 'c'.repeat(43))

  return {
    verifyCode,
    register: async () => {
      const email = newEmail()
      const verificationToken = await tokenFor(email, 'registration')
      return { body: { email, password, verificationToken, ...(await keyFields()) } }
    },
    requestSignupLink: async () => ({ body: { email: newEmail() } }),
    confirmSignupLink: async () => ({ body: { token: await signupToken() } }),
    completeSignup: async () => {
      const token = await signupToken()
      const { setupSecret } = (await call('confirmSignupLink', { token })).body
      return { body: { setupSecret, password, ...(await keyFields()) } }
    },
    login: async () => {
      const { email } = await auth.createUser()
      return { body: { email, password, ...(await keyFields()) } }
    },
    logout: ofUser(() => ({})),
    startDeviceAuth: async () => ({ body: await keyFields() }),
    pollDeviceAuth: async () => {
      const device = await devices.approvedBy(await auth.signedInUser())
      return { body: { deviceCode: device.deviceCode } }
    },
    getDeviceAuthInfo: ofDevice,
    approveDeviceAuth: ofDevice,
    denyDeviceAuth: ofDevice,
    passkeyRegisterVerify: ofUser(async ({ key }) => {
      const options = await done(passkeys.registerOptions(key))
      return { response: createTestAuthenticator().register(options) }
    }),
    passkeyLoginVerify: async () => {
      const { device } = await withPasskey()
      const response = device.sign(await passkeys.loginOptions())
      return { body: { response, ...(await keyFields()) } }
    },
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
    getProviderOAuthUrl: async () => ({
      params: { provider: 'addresses' },
      body: { returnUrl: '/' },
    }),
    start: async () => ({
      body: { provider: 'addresses', returnUrl: '/', ...(await keyFields()) },
    }),
    redirectToProvider: async () => ({ params: { provider: 'addresses' } }),
    oauthCallback: async () => ({
      params: { provider: 'addresses' },
      query: { state: await browser.stateFor(), code: newEmail() },
    }),
    finalize: async () => {
      const pendingToken = await browser.pendingTokenOf(newEmail())
      return { body: { pendingToken, ...(await keyFields()) } }
    },
    oauthNative: async () => {
      const fields = await keyFields()
      const given = { idToken: newEmail(), nonce: fields.fingerprint, ...fields }
      return { params: { provider: 'addresses' }, body: given }
    },
    linkSocialAccount: ofUser(() => ({ provider: 'addresses', returnUrl: '/' })),
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
    revokeKey: ofUser(({ key }) => ({ keyId: key.keyId })),
    rotateKey: ofUser(keyFields),
    createMachineKey: ofUser(async () => ({ ...(await keyFields()), permissions: [] })),
    revokeAllKeys: ofUser(() => ({})),
    confirmRevokeAllLink: async () => ({ body: { token: await revokeAllToken() } }),
    consumeRevokeAllLink: async () => ({ body: { token: await revokeAllToken() } }),
    changePassword: ofUser(() => ({
      currentPassword: password,
      newPassword: 'another one, just as long',
    })),
    confirmPasswordReset: async () => ({ body: { token: await resetToken() } }),
    completePasswordReset: async () => {
      const token = await resetToken()
      const { setupSecret } = (await call('confirmPasswordReset', { token })).body
      return { body: { setupSecret, password, ...(await keyFields()) } }
    },
    changeEmail: ofUser(async () => {
      const email = newEmail()
      const verificationToken = await tokenFor(email, 'email_change')
      return { email, verificationToken, currentPassword: password }
    }),
    changePhone: ofUser(async () => {
      const phone = newPhone()
      const verificationToken = await tokenFor(phone, 'phone_change')
      return { phone, verificationToken, currentPassword: password }
    }),
    confirmContactUndoLink: async () => ({ body: { token: await undoToken() } }),
    consumeContactUndoLink: async () => ({ body: { token: await undoToken() } }),
    createInvitation: async () => ({ key: root.key, body: { email: newEmail(), role: 'user' } }),
    getInvitation: async () => ({ body: { token: await invited() } }),
    acceptInvitation: async () => ({
      body: { token: await invited(), password, ...(await keyFields()) },
    }),
    cancelInvitation: invitation,
    resendInvitation: invitation,
    deleteInvitation: invitation,
    requestAccountDeletion: ofUser(() => ({ password })),
    cancelAccountDeletion: async () => {
      const { key, email } = await auth.signedInUser()
      await done(call('requestAccountDeletion', { password }, key))
      return { body: { email, password } }
    },
    updateAdminRole: async () => ({ ...(await role()), body: { displayName: 'other' } }),
    deleteAdminRole: role,
    updateUserRole: async () => {
      const { userId } = await auth.createUser()
      return { key: root.key, params: { userId }, body: { role: 'admin' } }
    },
    getOAuth2Authorize: async () => ({ query: await asked() }),
    createOAuth2AuthorizationCode: ofUser(async () => ({ ...(await asked()), decision: 'allow' })),
    oauth2Token: async () => {
      const { user, agent } = await agentAsk()
      const { code, verifier } = await agents.allow(user, agent)
      const given = { client_id: agent.clientId, redirect_uri: 'http://127.0.0.1:7777/callback' }
      const grant = { grant_type: 'authorization_code', code, code_verifier: verifier }
      return { form: { ...grant, ...given } }
    },
    oauth2Revoke: async () => {
      const { user, agent } = await agentAsk()
      const { access_token: token } = await agents.tokens(user, agent)
      return { form: { token, client_id: agent.clientId } }
    },
    registerOAuth2Client: async () => ({
      body: { redirect_uris: ['http://127.0.0.1:7777/c'], token_endpoint_auth_method: 'none' },
    }),
    updateUsername: ofUser(() => ({ username: `u${randomUUID().slice(0, 8)}` })),
    listAuditEvents: async () => ({ key: root.key, query: {} }),
    listInvitations: async () => ({ key: root.key, query: { status: 'pending' } }),
    stream: async () => ({ query: { events: 'notice', token: await streamToken(auth) } }),
    revokeOAuth2Grant: async () => {
      const { user, agent } = await agentAsk()
      await agents.tokens(user, agent)
      const { grants } = await done(call('listOAuth2Grants', undefined, user.key))
      return { key: user.key, params: { grantId: grants[0].grantId as string } }
    },
  }
}
