import { createHash, randomUUID } from 'node:crypto'
import type { TestServer } from '@svc/core/testing'
import { issueLegacyToken } from '../../authenticate/authenticate.ts'
import { stepsOf as contactsOf } from '../../contact/testing/contact.ts'
import { waitingDevices } from '../../device/testing/test-waiting.ts'
import { stepsOf as invitationsOf } from '../../invitations/testing/invitations.ts'
import { stepsOf as linksOf } from '../../links/testing/links.ts'
import { waitingSignIn } from '../../mfa/testing/test-second-factor.ts'
import { deviceGrantType, testTerminals } from '../../oauth2/device-grant/testing/test-terminal.ts'
import { testAgents } from '../../oauth2/testing/test-agent.ts'
import { redirectUri, secret, testRelyingParty } from '../../oauth2/testing/test-openid.ts'
import { waitingRemoval } from '../../people/testing/people.ts'
import { createRevokeAllLink } from '../../revoke-all/revoke-all.ts'
import type { routeMap } from '../../route-map.generated.ts'
import { testBrowser } from '../../social/browser/testing/test-browser.ts'
import { somebody } from '../../social/browser/testing/test-provider.ts'
import { streamToken } from '../../streams/test-stream.ts'
import { done } from '../../test-answers.ts'
import { createTestKey, testPassword } from '../../testing.ts'
import { type Application, legacySecret } from './application.ts'
import { bearer, sendsAgain, signsAs, signsForServer } from './forge.ts'
import type { Attacked, Victim } from './victim.ts'

export interface Door {
  /** A live secret that opens it. */
  readonly make: (app: Application, victim: Victim) => Promise<string>
  /** Whether it opens for that text. */
  readonly opens: (text: string, at: Attacked, victim: Victim) => Promise<boolean>
}

type Name = keyof typeof routeMap

const calls =
  (name: Name, body: (text: string, victim: Victim) => object) =>
  async (text: string, { call }: Attacked, victim: Victim) =>
    (await call(name, body(text, victim))).status < 300

/** With a new key of the attacker's, which would be signed in. */
const registers =
  (name: Name, body: (text: string, victim: Victim) => object) =>
  async (text: string, { call }: Attacked, victim: Victim) => {
    const { registration } = await createTestKey()
    return (await call(name, { ...body(text, victim), ...registration })).status < 300
  }

const asksWith =
  (path: string, headersOf: (text: string) => Record<string, string>) =>
  async (text: string, { at }: { at: Pick<TestServer, 'fetch'> }) => {
    try {
      return (await at.fetch(path, { headers: headersOf(text) })).ok
    } catch {
      // No client sends a header of these characters.
      return false
    }
  }

const inLink = (url: string) => new URL(url).searchParams.get('token') ?? ''
const asForm = (at: TestServer, path: string, form: Record<string, string>) =>
  at.fetch(`/_auth/oauth2/${path}`, { method: 'POST', body: new URLSearchParams(form) })

/** What an application sends beside the code of a sign-in. */
const redemption = {
  grant_type: 'authorization_code',
  client_id: 'intranet',
  client_secret: secret,
  redirect_uri: redirectUri,
}

/** Every place where something secret is presented. What was read from a dump opens none. */
export const doors: Record<string, Door> = {
  'as a signed request': {
    make: async (app, { user }) => {
      const url = `${app.url}/_auth/session`
      const { authorization = '' } = await app.signerOf(user.key)({ method: 'GET', url, body: '' })
      return authorization.replace('Bearer ', '')
    },
    // It names the instance that it was signed for.
    opens: async (text, { app }) => asksWith('/_auth/session', bearer)(text, { at: app }),
  },
  'as a signed request that changes something': {
    make: async (app, { user }) => {
      const url = `${app.url}/_auth/tokens`
      const { authorization = '' } = await app.signerOf(user.key)({ method: 'POST', url, body: '' })
      return authorization.replace('Bearer ', '')
    },
    opens: sendsAgain,
  },
  'as the code of a sign-in elsewhere': {
    make: async (app, { user }) => (await testRelyingParty(app).answered(user)).code ?? '',
    opens: async (text, { at }) => (await asForm(at, 'token', { ...redemption, code: text })).ok,
  },
  'as the access token of a sign-in elsewhere': {
    make: async (app, { user }) => (await testRelyingParty(app).signIn(user)).access_token,
    opens: asksWith('/_auth/oauth2/userinfo', bearer),
  },
  'as the key of a device': {
    make: async (_app, { user }) =>
      (await crypto.subtle.exportKey('jwk', user.key.privateKey)).d ?? '',
    opens: signsAs,
  },
  'as a legacy token': {
    make: (_app, { user }) => issueLegacyToken(user.userId),
    opens: asksWith('/_auth/session', bearer),
  },
  'as the secret of legacy tokens': { make: async () => legacySecret, opens: signsForServer },
  'as a one-time token': {
    make: async (app, { user }) =>
      (await done(app.call('issueOneTimeToken', undefined, user.key))).token,
    opens: asksWith('/handshake', (text) => ({ authorization: `OTT ${text}` })),
  },
  'as the token of a stream': {
    make: (app, { user }) => streamToken(app.url, app.signerOf(user.key)),
    opens: async (text, { at }) => {
      const query = new URLSearchParams({ events: 'login', token: text })
      const leaving = new AbortController()
      const answer = await at.fetch(`/events/stream?${query}`, { signal: leaving.signal })
      leaving.abort()
      return answer.ok
    },
  },
  'as a password': {
    make: async () => testPassword,
    opens: registers('login', (password, { user }) => ({ email: user.email, password })),
  },
  'as a token to sign in': {
    make: (app, { user }) => app.verificationToken(user.email),
    opens: registers('login', (verificationToken, { user }) => ({
      email: user.email,
      verificationToken,
    })),
  },
  'as a token to register': {
    make: (app, { newcomer }) => app.verificationToken(newcomer, 'registration'),
    opens: registers('register', (verificationToken, { newcomer: email }) => ({
      email,
      verificationToken,
      password: testPassword,
    })),
  },
  'as the link of a signup': {
    make: (app, { newcomer }) => linksOf(app, 'signup').token(`a${newcomer}`),
    opens: calls('confirmSignupLink', (token) => ({ token })),
  },
  'as the secret of a signup': {
    make: (app, { newcomer }) => linksOf(app, 'signup').secret(`b${newcomer}`),
    opens: registers('completeSignup', (setupSecret) => ({ setupSecret, password: testPassword })),
  },
  'as the link of a reset': {
    make: (app, { user }) => linksOf(app, 'reset').token(user.email),
    opens: calls('confirmPasswordReset', (token) => ({ token })),
  },
  'as the secret of a reset': {
    make: (app, { enrolled }) => linksOf(app, 'reset').secret(enrolled.email),
    opens: registers('completePasswordReset', (setupSecret) => ({
      setupSecret,
      password: testPassword,
    })),
  },
  'as the link that signs everybody out': {
    make: async (_app, { enrolled }) => inLink((await createRevokeAllLink(enrolled.userId)).url),
    opens: calls('confirmRevokeAllLink', (token) => ({ token })),
  },
  'as the link that takes a change back': {
    make: async (app) => {
      const contacts = contactsOf(app)
      return contacts.changed(await app.signedInUser(), contacts.newEmail())
    },
    opens: calls('confirmContactUndoLink', (token) => ({ token })),
  },
  'as the link that keeps a factor': {
    make: async (app, { user }) => (await waitingRemoval(app, user)).token,
    opens: calls('stopFactorRemoval', (token) => ({ token })),
  },
  'as an invitation': {
    make: async (app, { user }) => (await invitationsOf(app).invite(user.key)).token,
    opens: calls('getInvitation', (token) => ({ token })),
  },
  'as the code of a device': {
    make: async (app, { user }) => (await waitingDevices(app).approvedBy(user)).deviceCode,
    opens: calls('pollDeviceAuth', (deviceCode) => ({ deviceCode })),
  },
  'as the device code of an agent': {
    make: async (app, { user, agent }) =>
      (await testTerminals(app).allowed(user, agent)).device_code,
    opens: async (device_code, { at }, { agent }) => {
      const form = { grant_type: deviceGrantType, client_id: agent.clientId, device_code }
      return (await asForm(at, 'token', form)).ok
    },
  },
  'as a sign-in that waits for its factor': {
    make: async (app, { enrolled }) => (await waitingSignIn(app, enrolled)).challenge,
    opens: calls('mfaVerifyOptions', (challenge) => ({ challenge })),
  },
  'as a recovery code': {
    make: async (_app, { enrolled }) => enrolled.recoveryCodes[0] ?? '',
    opens: async (recoveryCode, { call }, { enrolled }) => {
      if (recoveryCode.length > 32) return false
      // Each try at a challenge of its own: five would burn it.
      const { challenge } = await waitingSignIn({ call }, enrolled)
      return (await call('mfaVerify', { challenge, recoveryCode })).status < 300
    },
  },
  'as who has come back from a provider': {
    make: async (app, { provider }) => {
      const browser = testBrowser(app, provider)
      await browser.follow()
      await browser.arrive(somebody({ email: `${randomUUID()}@example.com` }))
      return browser.cookies.get('svc_oauth_pending') ?? ''
    },
    opens: registers('finalize', (pendingToken) => ({ pendingToken })),
  },
  'as a code of an agent': {
    make: async (app, { user, agent, verifier }) => {
      const agents = testAgents(app)
      const challenge = createHash('sha256').update(verifier).digest('base64url')
      const { redirectTo } = await done(agents.decide(user, agents.asked(agent, challenge)))
      return new URL(redirectTo).searchParams.get('code') ?? ''
    },
    opens: async (code, { at }, { agent, verifier }) => {
      const form = { client_id: agent.clientId, code, code_verifier: verifier }
      const redirect = { redirect_uri: 'http://127.0.0.1:7777/callback' }
      const type = { grant_type: 'authorization_code' }
      return (await asForm(at, 'token', { ...form, ...redirect, ...type })).ok
    },
  },
  'as the access token of an agent': {
    make: async (app, { user, agent }) => (await testAgents(app).tokens(user, agent)).access_token,
    opens: asksWith('/mcp', bearer),
  },
  'as the refresh token of an agent': {
    make: async (app, { user, agent }) => (await testAgents(app).tokens(user, agent)).refresh_token,
    opens: async (text, { at }, { agent }) => {
      const form = { grant_type: 'refresh_token', client_id: agent.clientId, refresh_token: text }
      return (await asForm(at, 'token', form)).ok
    },
  },
  'as the secret of a client': {
    make: async (_app, { confidential }) => confidential.clientSecret ?? '',
    opens: async (text, { at }, { confidential }) => {
      const client = { client_id: confidential.clientId, client_secret: text }
      return (await asForm(at, 'revoke', { ...client, token: 'none' })).ok
    },
  },
}
