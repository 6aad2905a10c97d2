import { randomUUID } from 'node:crypto'
import { defineRouter, route } from '@svc/core'
import { directRequest } from '@svc/core/client'
import { afterAll, describe, expect, it } from 'vitest'
import { orFew } from '../../../../../scripts/test/or-few.ts'
import { authContract } from '../../auth-contract.ts'
import { issueLegacyToken } from '../../authenticate/authenticate.ts'
import { stepsOf } from '../../links/testing/links.ts'
import {
  type EnrolledUser,
  enrolledUser,
  waitingSignIn,
  withKeyring,
} from '../../mfa/testing/test-second-factor.ts'
import { testTerminals } from '../../oauth2/device-grant/testing/test-terminal.ts'
import { accessTokenAuth } from '../../oauth2/oauth2.ts'
import { agentOptions, issuer, pkce, testAgents } from '../../oauth2/testing/test-agent.ts'
import { files, testResourceServer } from '../../oauth2/testing/test-resource-server.ts'
import { oneTimeTokenAuth } from '../../one-time-token/one-time-token.ts'
import { waitingRemoval } from '../../people/testing/people.ts'
import { registerOAuthProvider } from '../../providers/providers.ts'
import { createRevokeAllLink } from '../../revoke-all/revoke-all.ts'
import { routeMap } from '../../route-map.generated.ts'
import { createTestKey, startTestAuth, testPassword } from '../../testing.ts'
import { addressProvider, browserOf } from '../test-provider.ts'

const router = defineRouter({
  stream: route
    .get('/stream')
    .use([oneTimeTokenAuth])
    .handler(() => 'opened'),
  tools: route
    .get('/mcp')
    .use([accessTokenAuth('/mcp')])
    .handler(() => 'opened'),
  otherTools: route
    .get('/other')
    .use([accessTokenAuth('/other')])
    .handler(() => 'opened'),
})
const auth = await startTestAuth({
  options: { ...agentOptions.options, support: { consent: 'code' } },
  router,
  env: { ...withKeyring(), SVC_AUTH_JWT_SECRET: 'a legacy secret of at least 32 characters' },
})
afterAll(() => auth.stop())
const admin = await auth.signedInUser({ role: 'admin' })
const operator = await auth.createUser({ role: 'superadmin' })
const signup = stepsOf(auth, 'signup')
const reset = stepsOf(auth, 'reset')
registerOAuthProvider(addressProvider)
const browser = browserOf(auth)
const agents = testAgents(auth)
const agent = await agents.register()
const terminals = testTerminals(auth)
const terminal = await terminals.register()
const elsewhere = testResourceServer(auth, issuer)
const confidential = { token_endpoint_auth_method: 'client_secret_post' }
const { verifier, challenge: codeChallenge } = pkce()

/** Whose credential it is, and an address that nobody has yet. */
interface Owner extends EnrolledUser {
  newcomer: string
}

const startDevice = async () => {
  const { registration } = await createTestKey()
  return (await auth.call('startDeviceAuth', registration)).body
}

/** By the secret that it has. */
const clientOf = new Map<string, string>()

/** Makes a fresh one of each, by the place where it belongs. */
const credentials = {
  'a request token': async ({ key }: Owner) => {
    const request = directRequest(auth.url, { ...routeMap.getAuthSession, input: {} })
    const { authorization = '' } = await auth.signerOf(key)({ ...request, body: '' })
    return authorization.replace('Bearer ', '')
  },
  'a legacy token': ({ userId }) => issueLegacyToken(userId),
  'a one-time token': async ({ key }) =>
    (await auth.call('issueOneTimeToken', undefined, key)).body.token,
  'a code': ({ email }) => auth.requestCode(email, 'password_reset'),
  'a token to sign in': ({ email }) => auth.verificationToken(email),
  'a token to register': ({ newcomer }) => auth.verificationToken(newcomer, 'registration'),
  'a token to reset': ({ email }) => auth.verificationToken(email, 'password_reset'),
  'a token to delete': ({ email }) => auth.verificationToken(email, 'account_deletion'),
  'a token to change the address': ({ newcomer }) =>
    auth.verificationToken(newcomer, 'email_change'),
  'a password': async () => testPassword,
  'a signup link': ({ newcomer }) => signup.token(newcomer),
  'a signup secret': ({ newcomer }) => signup.secret(newcomer),
  'a reset link': ({ email }) => reset.token(email),
  'a reset secret': ({ email }) => reset.secret(email),
  'a sign-out link': async ({ userId }) =>
    new URL((await createRevokeAllLink(userId)).url).searchParams.get('token') ?? '',
  'an invitation': ({ newcomer }) => {
    const invited = { email: newcomer, role: 'user' }
    const ask = () => auth.call('createInvitation', invited, admin.key)
    return auth.linkSentBy(ask, newcomer, 'invitation')
  },
  'a link to take a change back': async ({ newcomer }) => {
    const { email, key } = await auth.signedInUser()
    const verificationToken = await auth.verificationToken(newcomer, 'email_change')
    const change = { email: newcomer, verificationToken, currentPassword: testPassword }
    return auth.linkSentBy(() => auth.call('changeEmail', change, key), email, 'contact-changed')
  },
  'a link to keep a factor': async () => (await waitingRemoval(auth, admin)).token,
  'a device code': async () => (await startDevice()).deviceCode,
  'a user code': async () => (await startDevice()).userCode,
  'a device code of an agent': async (owner) => {
    const code = await terminals.start(terminal)
    await terminals.decide(code, owner)
    return code.device_code
  },
  'a user code of an agent': async () => (await terminals.start(terminal)).user_code,
  'a code for support': async ({ key }) =>
    (await auth.call('createSupportCode', {}, key)).body.code,
  'a challenge for a passkey': async () =>
    (await auth.call('passkeyLoginOptions', {})).body.challenge,
  'a challenge of a sign-in that waits': async (owner) =>
    (await waitingSignIn(auth, owner)).challenge,
  'a code of an authenticator app': async ({ code }) => code(),
  'a state of a way to a provider': () => browser.stateFor(),
  'a secret of who has come back from one': ({ email }) => browser.pendingTokenOf(email),
  'an authorization code': async (owner) => {
    const { body } = await agents.decide(owner, agents.asked(agent, codeChallenge))
    return new URL(body.redirectTo).searchParams.get('code') ?? ''
  },
  'an access token': async (owner) => (await agents.tokens(owner, agent)).access_token,
  'an access token for a server elsewhere': async (owner) =>
    (await agents.tokens(owner, agent, { resource: files })).access_token,
  'what a server elsewhere signs': async () => elsewhere.assertion(),
  'a refresh token': async (owner) => (await agents.tokens(owner, agent)).refresh_token,
  'a secret of a client': async () => {
    const { clientId, clientSecret = '' } = await agents.register(confidential)
    clientOf.set(clientSecret, clientId)
    return clientSecret
  },
  'a recovery code': async ({ recoveryCodes: [first = ''] }) => first,
} satisfies Record<string, (owner: Owner) => Promise<string>>
type Credential = keyof typeof credentials

const get = async (path: string, authorization?: string) => {
  const headers = authorization === undefined ? {} : { authorization }
  return (await auth.fetch(path, { headers })).status
}
const call = async (...given: Parameters<typeof auth.call>) => (await auth.call(...given)).status
const withKey = async (name: keyof typeof routeMap, body: object) =>
  call(name, { ...body, ...(await createTestKey()).registration })
const verify = (target: string, code: string, purpose: string) =>
  call('verifyCode', { target, targetType: 'email', code, purpose })

/** What is brought to a sign-in that waits. */
const finish = async (proof: object, owner: Owner) => {
  const { challenge } = await waitingSignIn(auth, owner)
  return call('mfaVerify', { challenge, ...proof })
}

const currentPassword = testPassword
let numbers = 0
const newNumber = () => `+8210${String(10_000_000 + ++numbers)}`

type Present = (presented: string, owner: Owner) => Promise<number>

/** Every place that takes one, with what it takes. */
const places: Record<string, [Credential[], Present]> = {
  'as a signature': [
    ['a request token', 'a legacy token'],
    (presented) => get('/_auth/session', `Bearer ${presented}`),
  ],
  'as a signature of another scheme': [
    [],
    (presented) => get('/_auth/session', `OTT ${presented}`),
  ],
  'as a one-time token': [['a one-time token'], (presented) => get('/stream', `OTT ${presented}`)],
  'as a bearer of a stream': [[], (presented) => get('/stream', `Bearer ${presented}`)],
  'in the query of a stream': [
    ['a one-time token'],
    (presented) => get(`/stream?token=${encodeURIComponent(presented)}`),
  ],
  'in the query of an operation': [
    [],
    (presented) => get(`/_auth/session?token=${encodeURIComponent(presented)}`),
  ],
  'as a code': [['a code'], (code, { email }) => verify(email, code, 'password_reset')],
  'as a code to sign in': [[], (code, { email }) => verify(email, code, 'login')],
  'as a token to sign in': [
    ['a token to sign in'],
    (verificationToken, { email }) => withKey('login', { email, verificationToken }),
  ],
  'as a token to register': [
    ['a token to register'],
    (verificationToken, { newcomer: email }) =>
      withKey('register', { email, verificationToken, password: testPassword }),
  ],
  'as a token to register somebody else': [
    [],
    (verificationToken) =>
      withKey('register', {
        email: 'somebody.else@example.com',
        verificationToken,
        password: testPassword,
      }),
  ],
  'as a token to delete': [
    ['a token to delete'],
    (verificationToken, { key }) => call('requestAccountDeletion', { verificationToken }, key),
  ],
  'as a token to change the address': [
    ['a token to change the address'],
    (verificationToken, { newcomer: email, key }) =>
      call('changeEmail', { email, verificationToken, currentPassword: testPassword }, key),
  ],
  'as a password': [['a password'], (password, { email }) => withKey('login', { email, password })],
  'as a signup link': [['a signup link'], (token) => call('confirmSignupLink', { token })],
  'as a signup secret': [
    ['a signup secret'],
    (setupSecret) => withKey('completeSignup', { setupSecret, password: testPassword }),
  ],
  'as a reset link': [['a reset link'], (token) => call('confirmPasswordReset', { token })],
  'as a reset secret': [
    ['a reset secret'],
    (setupSecret) => withKey('completePasswordReset', { setupSecret, password: testPassword }),
  ],
  'as a sign-out link to look at': [
    ['a sign-out link'],
    (token) => call('confirmRevokeAllLink', { token }),
  ],
  'as a sign-out link': [['a sign-out link'], (token) => call('consumeRevokeAllLink', { token })],
  'as an invitation to look at': [['an invitation'], (token) => call('getInvitation', { token })],
  'as an invitation': [
    ['an invitation'],
    (token) => withKey('acceptInvitation', { token, password: testPassword }),
  ],
  'as a link to take a change back, to look at': [
    ['a link to take a change back'],
    (token) => call('confirmContactUndoLink', { token }),
  ],
  'as a link to take a change back': [
    ['a link to take a change back'],
    (token) => call('consumeContactUndoLink', { token }),
  ],
  'as a link to keep a factor': [
    ['a link to keep a factor'],
    (token) => call('stopFactorRemoval', { token }),
  ],
  'as a device code': [['a device code'], (deviceCode) => call('pollDeviceAuth', { deviceCode })],
  'as a user code to look at': [
    ['a user code'],
    (userCode, { key }) => call('getDeviceAuthInfo', { userCode }, key),
  ],
  'as a user code': [
    ['a user code'],
    async (userCode, { key }) => {
      await auth.call('getDeviceAuthInfo', { userCode }, key)
      return call('approveDeviceAuth', { userCode }, key)
    },
  ],
  'as a user code to deny': [
    ['a user code'],
    async (userCode, { key }) => {
      await auth.call('getDeviceAuthInfo', { userCode }, key)
      return call('denyDeviceAuth', { userCode }, key)
    },
  ],
  'as a device code of an agent': [
    ['a device code of an agent'],
    async (device_code) => (await terminals.poll(terminal, { device_code })).status,
  ],
  'as a user code of an agent to look at': [
    ['a user code of an agent'],
    (userCode, { key }) => call('getOAuth2DeviceRequest', { userCode }, key),
  ],
  'as a user code of an agent': [
    ['a user code of an agent'],
    (userCode, { key }) => call('decideOAuth2DeviceRequest', { userCode, decision: 'allow' }, key),
  ],
  'as a code for support': [
    ['a code for support'],
    async (code, { userId }) => {
      const { registration } = await createTestKey()
      const session = { userId, reason: 'ticket 7', code, ...registration }
      return call('openSupportSession', session, await auth.signIn(operator))
    },
  ],
  'as a token to change the number': [
    [],
    (verificationToken, { key }) =>
      call('changePhone', { phone: newNumber(), verificationToken, currentPassword }, key),
  ],
  'as a token to take a deletion back': [
    [],
    async (verificationToken) => {
      const { email, key } = await auth.signedInUser()
      await auth.call('requestAccountDeletion', { password: testPassword }, key)
      return call('cancelAccountDeletion', { email, verificationToken })
    },
  ],
  // It takes a code that could sign in, and no other.
  'as a code that proves the user again': [
    [],
    (code, { key }) => call('proveRecent', { code }, key),
  ],
  'as a challenge of a sign-in that waits': [
    ['a challenge of a sign-in that waits'],
    // Spent with a challenge that is good, and with no other. A code of the app would let time pass.
    (challenge, { recoveryCodes }) =>
      call('mfaVerify', { challenge, recoveryCode: recoveryCodes.at(-1) }),
  ],
  'as a challenge of a sign-in that waits, to look at': [
    [],
    (challenge) => call('mfaVerifyOptions', { challenge }),
  ],
  'as a code that finishes a sign-in': [
    ['a code of an authenticator app'],
    (code, owner) => finish({ code }, owner),
  ],
  'as a code that steps up': [
    ['a code of an authenticator app'],
    (code, { key }) => call('mfaStepUp', { code }, key),
  ],
  'as the first code of another app': [
    [],
    async (code) => {
      const { key } = await auth.signedInUser()
      await auth.call('mfaTotpEnroll', {}, key)
      return call('mfaTotpConfirm', { code }, key)
    },
  ],
  'as a state of a way to a provider': [
    ['a state of a way to a provider'],
    async (state, { email }) => {
      const { headers } = await browser.comeBack(state, email)
      // A browser is always sent on: it is the page that says how it went.
      return headers.get('location')?.includes('error=') === false ? 200 : 401
    },
  ],
  'as a secret of who has come back from one': [
    ['a secret of who has come back from one'],
    (pendingToken) => withKey('finalize', { pendingToken }),
  ],
  'as an authorization code': [
    ['an authorization code'],
    async (code) => (await agents.redeem(agent, { code, verifier })).status,
  ],
  'as a refresh token': [
    ['a refresh token'],
    async (token) => (await agents.refresh(agent, token)).status,
  ],
  'as a token of an agent': [
    ['an access token'],
    (presented) => get('/mcp', `Bearer ${presented}`),
  ],
  'as a token of an agent for another resource': [
    [],
    (presented) => get('/other', `Bearer ${presented}`),
  ],
  'as a token that a server elsewhere asks about': [
    ['an access token for a server elsewhere'],
    async (token) => ((await elsewhere.ask(token)).body.active ? 200 : 401),
  ],
  'as what shows that server': [
    ['what a server elsewhere signs'],
    async (client_assertion) => (await elsewhere.ask('x', { form: { client_assertion } })).status,
  ],
  'as what shows a client': [
    [],
    async (client_assertion) => {
      const form = { ...elsewhere.signed(), client_assertion, token: 'x' }
      return (await agents.send('revoke', form)).status
    },
  ],
  'as a token that is bound to a key': [[], (presented) => get('/mcp', `DPoP ${presented}`)],
  'as a secret of a client': [
    ['a secret of a client'],
    async (clientSecret) => {
      const [clientId = ''] = [clientOf.get(clientSecret) ?? [...clientOf.values()].at(-1)]
      const form = { client_id: clientId, client_secret: clientSecret, token: 'x' }
      return (await agents.send('revoke', form)).status
    },
  ],
  'as a recovery code that finishes a sign-in': [
    ['a recovery code'],
    (recoveryCode, owner) => finish({ recoveryCode }, owner),
  ],
  'as a recovery code that steps up': [
    ['a recovery code'],
    (recoveryCode, { key }) => call('mfaStepUp', { recoveryCode }, key),
  ],
}

/** With a second factor, so that each proof of it has a place, and a device that has stepped up. */
const newOwner = async (): Promise<Owner> => ({
  ...(await enrolledUser(auth)),
  newcomer: `${randomUUID()}@example.com`,
})

/** A sign-in is good when its factor is asked for. */
const isGood = (status: number) => [200, 202, 204].includes(status)

describe.each(orFew(Object.entries(credentials), 12))('%s', (name, make) => {
  const takenBy = Object.entries(places).filter(([, [taken]]) => taken.includes(name as Credential))
  const others = Object.entries(places).filter(([, [taken]]) => !taken.includes(name as Credential))

  it('is refused everywhere else, and good for its own place after that', async () => {
    const owner = await newOwner()
    const credential = await make(owner)
    const wrong: [string, number][] = []
    for (const [place, [, present]] of others) {
      const status = await present(credential, owner)
      if (![400, 401, 404].includes(status)) wrong.push([place, status])
    }
    expect(wrong).toEqual([])
    const [first] = takenBy
    if (first) expect(await first[1][1](credential, owner)).toSatisfy(isGood)
  })

  it.each(takenBy.slice(1))('is taken %s', async (_place, [, present]) => {
    const owner = await newOwner()
    expect(await present(await make(owner), owner)).toSatisfy(isGood)
  })
})

const again = 'as a password: it is asked for again, of a user who is signed in'
const assertions = 'what an authenticator signs for a challenge: passkey-kinds.test.ts'

/** Who takes something that opens, and the places above where each credential is presented; or why there is none. */
const takers: Record<string, string | (keyof typeof places)[]> = {
  verifyCode: ['as a code', 'as a code to sign in'],
  register: ['as a token to register', 'as a token to register somebody else'],
  login: ['as a token to sign in', 'as a password'],
  confirmSignupLink: ['as a signup link'],
  completeSignup: ['as a signup secret'],
  confirmPasswordReset: ['as a reset link'],
  completePasswordReset: ['as a reset secret'],
  confirmRevokeAllLink: ['as a sign-out link to look at'],
  consumeRevokeAllLink: ['as a sign-out link'],
  confirmContactUndoLink: ['as a link to take a change back, to look at'],
  consumeContactUndoLink: ['as a link to take a change back'],
  getInvitation: ['as an invitation to look at'],
  acceptInvitation: ['as an invitation'],
  requestAccountDeletion: ['as a token to delete'],
  cancelAccountDeletion: ['as a token to take a deletion back'],
  changeEmail: ['as a token to change the address'],
  changePhone: ['as a token to change the number'],
  pollDeviceAuth: ['as a device code'],
  getDeviceAuthInfo: ['as a user code to look at'],
  approveDeviceAuth: ['as a user code'],
  denyDeviceAuth: ['as a user code to deny'],
  mfaVerify: [
    'as a challenge of a sign-in that waits',
    'as a code that finishes a sign-in',
    'as a recovery code that finishes a sign-in',
  ],
  mfaVerifyOptions: ['as a challenge of a sign-in that waits, to look at'],
  mfaStepUp: ['as a code that steps up', 'as a recovery code that steps up'],
  mfaTotpConfirm: ['as the first code of another app'],
  proveRecent: ['as a code that proves the user again'],
  oauthCallback: ['as a state of a way to a provider'],
  finalize: ['as a secret of who has come back from one'],
  oauth2Token: ['as an authorization code', 'as a refresh token', 'as a device code of an agent'],
  oauth2DeviceAuthorization: ['as a secret of a client', 'as what shows a client'],
  getOAuth2DeviceRequest: ['as a user code of an agent to look at'],
  decideOAuth2DeviceRequest: ['as a user code of an agent'],
  oauth2Revoke: ['as a secret of a client', 'as what shows a client'],
  oauth2Introspect: ['as a token that a server elsewhere asks about', 'as what shows that server'],
  oauthNative: 'what a provider gives an app: social/native/id-token-abuse.test.ts',
  getOAuth2Authorize: 'a client’s own state: it goes back as it came',
  createOAuth2AuthorizationCode: 'a client’s own state: it goes back as it came',
  changePassword: again,
  listJobs: 'what has become of a job: it opens nothing',
  createUser: 'a password that is set, and compared with none',
  stopFactorRemoval: ['as a link to keep a factor'],
  passkeyRegisterOptions: again,
  revokePasskey: again,
  mfaTotpEnroll: again,
  mfaMarkPasskey: again,
  linkSocialAccount: again,
  unlinkSocialAccount: again,
  setSessionBinding: again,
  createMachineKey: again,
  createSupportCode: again,
  keepFactor: again,
  openSupportSession: ['as a code for support'],
  passkeyRegisterVerify: assertions,
  passkeyLoginVerify: assertions,
  sessionRenewVerify: assertions,
}

interface Shape {
  properties?: Record<string, Shape>
  anyOf?: Shape[]
}

const opens =
  /^(response|state|password|currentPassword)$|(token|code|secret|challenge|assertion)$/i

const hasSecret = (shape: Shape): boolean =>
  Object.entries(shape.properties ?? {}).some(
    ([name, each]) => opens.test(name) || hasSecret(each),
  ) || (shape.anyOf ?? []).some(hasSecret)

it('has a place for every operation that takes something that opens', () => {
  const taking = Object.entries(authContract).filter(([, { operation }]) =>
    Object.values(operation.input as Record<string, Shape>).some(hasSecret),
  )
  expect(taking.map(([name]) => name).toSorted()).toEqual(Object.keys(takers).toSorted())
  const named = Object.values(takers).flatMap((each) => (Array.isArray(each) ? each : []))
  expect(named.filter((place) => !places[place])).toEqual([])
})
