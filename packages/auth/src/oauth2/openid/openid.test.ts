import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { profiles, users } from '../../accounts/schema.ts'
import { auditEvents } from '../../audit/schema.ts'
import { machineOf } from '../../machine-keys/testing/machines.ts'
import { suspendUser } from '../../suspension/suspension.ts'
import { startTestAuth } from '../../testing.ts'
import { issuer, pkce, refused, testAgents } from '../testing/test-agent.ts'
import { agentApp } from '../testing/test-agent-app.ts'
import {
  openidKeys,
  openidOptions,
  redirectUri,
  secret,
  testRelyingParty,
} from '../testing/test-openid.ts'
import { verifyAccessToken } from '../verify-access-token.ts'

const auth = await startTestAuth({ ...agentApp, ...openidOptions })
afterAll(auth.stop)
const intranet = testRelyingParty(auth)
const partner = testRelyingParty(auth, 'partner')

const set = (userId: string, columns: Partial<typeof users.$inferInsert>) =>
  auth.auth.db.update(users).set(columns).where(eq(users.userId, userId))

describe('a sign-in at another application', () => {
  it('goes from the authorization endpoint to an id token with the claims of Core, section 2, and to userinfo', async () => {
    const user = await auth.signedInUser()
    await auth.auth.db
      .update(profiles)
      .set({ displayName: 'Ada Lovelace' })
      .where(eq(profiles.userId, user.userId))
    await set(user.userId, { username: 'ada' })
    const now = Math.floor(auth.clock.now().getTime() / 1000)
    auth.clock.advance(90_000)
    const { access_token, id_token, ...rest } = await intranet.signIn(user)
    expect(rest).toEqual({ token_type: 'Bearer', expires_in: 3600, scope: 'openid profile email' })
    const { claims, header } = await intranet.claimsOf(id_token)
    expect(header).toEqual({ alg: 'ES256', kid: 'new' })
    expect(claims).toEqual({
      iss: issuer,
      sub: user.publicId,
      aud: 'intranet',
      iat: now + 90,
      exp: now + 90 + 3600,
      auth_time: now,
      nonce: 'a nonce',
      at_hash: expect.stringMatching(/^[\w-]{22}$/),
    })
    const known = {
      sub: user.publicId,
      name: 'Ada Lovelace',
      preferred_username: 'ada',
      email: user.email,
      email_verified: true,
    }
    for (const method of ['GET', 'POST']) {
      const answer = await intranet.userinfo(access_token, { method })
      expect([answer.status, answer.body]).toEqual([200, known])
      expect(answer.headers.get('www-authenticate')).toBeNull()
    }
    const where = eq(auditEvents.act, 'openid.signed_in')
    expect(await auth.auth.db.select().from(auditEvents).where(where)).toMatchObject([
      { actor: user.userId, target: 'intranet', details: { scopes: rest.scope.split(' ') } },
    ])
  })

  it('asks the user of a client that is not trusted, and of a trusted one only if it wants that', async () => {
    const user = await auth.signedInUser()
    const shown = await partner.describe(user, await partner.passedOn())
    expect(shown.body).toEqual({
      clientId: 'partner',
      clientName: 'Partner',
      redirectHost: 'intranet.example.com',
      resource: '/_auth/oauth2/userinfo',
      scopes: [
        { name: 'openid', description: 'Know that it is you' },
        { name: 'profile', description: 'See your name and your username' },
        { name: 'email', description: 'See your email address' },
      ],
      owners: [],
      signIn: { isAllowed: false },
    })
    const isAllowed = async (prompt?: string) =>
      (await intranet.describe(user, await intranet.passedOn({ prompt }))).body.signIn.isAllowed
    expect(await isAllowed()).toBe(true)
    expect(await isAllowed('login')).toBe(true)
    expect(await isAllowed('consent')).toBe(false)
    expect(await isAllowed('select_account')).toBe(false)
    const denied = await partner.decide(user, await partner.passedOn(), 'deny')
    expect(new URL(denied.body.redirectTo).searchParams.get('error')).toBe('access_denied')
  })

  it('tells the application what is wrong, with state and iss, and redirects nowhere else (RFC 9207)', async () => {
    const faults = [
      ['unsupported_response_type', { response_type: 'id_token' }],
      ['unsupported_response_type', { response_type: undefined }],
      ['invalid_scope', { scope: 'profile' }],
      ['invalid_scope', { scope: undefined }],
      ['invalid_target', { resource: `${auth.url}/mcp` }],
      ['invalid_request', { nonce: undefined }],
      ['invalid_request', { code_challenge: pkce().challenge }],
      ['invalid_request', { code_challenge: pkce().challenge, code_challenge_method: 'plain' }],
      ['invalid_request', { code_challenge: 'short', code_challenge_method: 'S256' }],
      ['invalid_request', { prompt: 'none login' }],
      ['invalid_request', { max_age: 'soon' }],
      ['request_not_supported', { request: 'e30.e30.' }],
      ['request_uri_not_supported', { request_uri: 'https://intranet.example.com/request' }],
      ['registration_not_supported', { registration: '{}' }],
    ] as const
    for (const [error, fields] of faults) {
      const to = await intranet.visit(intranet.asked(fields))
      expect([error, `${to.origin}${to.pathname}`]).toEqual([error, redirectUri])
      const told = { error, state: 'a state', iss: issuer }
      expect(Object.fromEntries(to.searchParams)).toMatchObject(told)
    }
    for (const nowhere of [{ redirect_uri: `${redirectUri}/more` }, { redirect_uri: undefined }]) {
      const to = await intranet.visit(intranet.asked(nowhere))
      expect(to.origin).toBe(issuer)
      const user = await auth.signedInUser()
      const fields = Object.fromEntries(to.searchParams)
      expect(await intranet.decide(user, fields)).toMatchObject(refused('invalid_request'))
    }
  })

  it('ignores scopes and prompts that it does not know (Core, section 3.1.2.1)', async () => {
    const user = await auth.signedInUser()
    const { scope } = await intranet.signIn(user, {
      scope: 'phone email openid offline_access board',
      prompt: 'create',
    })
    expect(scope).toBe('openid email')
  })

  it('gives no person to a program, and none to an agent’s client', async () => {
    const user = await auth.signedInUser()
    const machine = { ...user, key: await machineOf(auth, user) }
    const refusal = await intranet.decide(machine, await intranet.passedOn())
    expect([refusal.status, refusal.body.error.code]).toEqual([403, 'ForbiddenError'])
    const agents = testAgents(auth)
    const agent = await agents.register()
    for (const scope of ['openid', 'openid board']) {
      const asked = agents.asked(agent, pkce().challenge, { scope })
      expect(await agents.decide(user, asked)).toMatchObject(refused('invalid_scope'))
    }
  })
})

describe('the code of a sign-in', () => {
  it('is for its application, its redirect URI and its verifier, and is good for less than a minute', async () => {
    const user = await auth.signedInUser()
    const { verifier, challenge } = pkce()
    const challenged = { code_challenge: challenge, code_challenge_method: 'S256' }
    const { code } = await intranet.answered(user, challenged)
    expect(await partner.redeem(code, { code_verifier: verifier })).toMatchObject(
      refused('invalid_grant'),
    )
    const wrong = [
      { code_verifier: undefined },
      { code_verifier: pkce().verifier },
      { code_verifier: verifier, redirect_uri: `${redirectUri}2` },
      { code_verifier: verifier, redirect_uri: undefined },
      { code_verifier: verifier, code: 'x'.repeat(43) },
      { code_verifier: verifier, code: undefined },
    ]
    for (const form of wrong) {
      expect(await intranet.redeem(code, form)).toMatchObject(refused('invalid_grant'))
    }
    auth.clock.advance(59_999)
    expect(await intranet.redeem(code, { code_verifier: verifier })).toMatchObject({ status: 200 })
    const late = await intranet.answered(user)
    auth.clock.advance(60_000)
    expect(await intranet.redeem(late.code)).toMatchObject(refused('invalid_grant'))
  })

  it('takes no verifier without a challenge (RFC 9700, section 4.8.2)', async () => {
    const { code } = await intranet.answered(await auth.signedInUser())
    const { verifier } = pkce()
    expect(await intranet.redeem(code, { code_verifier: verifier })).toMatchObject(
      refused('invalid_grant'),
    )
    expect(await intranet.redeem(code)).toMatchObject({ status: 200 })
  })

  it('that is used again ends the token of the first use (RFC 9700, section 4.5)', async () => {
    const { code } = await intranet.answered(await auth.signedInUser())
    const { body } = await intranet.redeem(code)
    expect((await intranet.userinfo(body.access_token)).status).toBe(200)
    auth.clock.advance(1)
    expect(await intranet.redeem(code)).toMatchObject(refused('invalid_grant'))
    expect((await intranet.userinfo(body.access_token)).status).toBe(401)
  })

  it('is worth nothing after the device is signed out, or the account is suspended', async () => {
    const ends = [
      ({ key }: { key: object }) => auth.call('logout', {}, key as never),
      ({ key }: { key: object }) =>
        auth.call('revokeAllKeys', { includeCurrent: false }, key as never),
      ({ userId }: { userId: string }) => suspendUser(userId),
    ]
    for (const end of ends) {
      const user = await auth.signedInUser()
      const { code } = await intranet.answered(user)
      await end(user)
      expect(await intranet.redeem(code)).toMatchObject(refused('invalid_grant'))
    }
  })

  it('needs the client’s own proof: its secret by either method, and no other one', async () => {
    const user = await auth.signedInUser()
    const { code } = await intranet.answered(user)
    const none: Record<string, string> = {}
    const refusals = [
      [{ client_id: 'intranet' }, none],
      [{ client_id: 'intranet', client_secret: `${secret}!` }, none],
      [{ client_id: 'intranet', client_secret: '' }, none],
      [{ client_id: 'unknown', client_secret: secret }, none],
      [{ client_secret: secret }, intranet.basic()],
    ] as const
    for (const [form, headers] of refusals) {
      expect(await intranet.redeem(code, form, headers)).toMatchObject(
        refused('invalid_client', 401),
      )
    }
    const form = { client_id: 'intranet', client_secret: secret }
    expect(await intranet.redeem(code, form, none)).toMatchObject({ status: 200 })
  })

  it('is all that the client can redeem: it has no refresh token, and exchanges nothing', async () => {
    const user = await auth.signedInUser()
    const tokens = await intranet.signIn(user)
    expect(tokens).not.toHaveProperty('refresh_token')
    const form = { grant_type: 'refresh_token', refresh_token: tokens.access_token }
    expect(await intranet.send(form)).toMatchObject(refused('unauthorized_client'))
  })
})

describe('the access token of a sign-in', () => {
  it('opens userinfo alone: no resource, and no route of the account', async () => {
    const admin = await auth.signedInUser({ role: 'superadmin' })
    const { access_token: token } = await intranet.signIn(admin)
    const authorization = `Bearer ${token}`
    for (const path of ['/mcp', '/mcp/users', '/own', '/_auth/session', '/_auth/keys']) {
      const { status } = await fetch(`${auth.url}${path}`, { headers: { authorization } })
      expect([path, status >= 400]).toEqual([path, true])
    }
    for (const resource of ['/mcp', '/other', '/_auth/oauth2/userinfo']) {
      expect(await verifyAccessToken(token, resource)).toBeNull()
    }
    const agents = testAgents(auth)
    const { access_token } = await agents.tokens(admin, await agents.register())
    expect((await intranet.userinfo(access_token)).status).toBe(401)
  })

  it('says what its scopes allow, and no address that is not proved', async () => {
    const user = await auth.signedInUser()
    const { userId, publicId: sub, email } = user
    const read = async (scope: string) => {
      const { access_token } = await intranet.signIn(user, { scope })
      return (await intranet.userinfo(access_token)).body
    }
    expect(await read('openid')).toEqual({ sub })
    expect(await read('openid profile')).toEqual({ sub })
    expect(await read('openid email')).toEqual({ sub, email, email_verified: true })
    await auth.auth.db
      .update(profiles)
      .set({ firstName: 'Ada', lastName: 'Lovelace' })
      .where(eq(profiles.userId, userId))
    expect(await read('openid profile')).toEqual({ sub, name: 'Ada Lovelace' })
    await set(userId, { emailVerifiedAt: null })
    expect(await read('openid email')).toEqual({ sub })
  })

  it('ends after an hour, with its device, with the account, and when it is revoked', async () => {
    const ends = [
      async () => auth.clock.advance(3_600_000),
      ({ key }: { key: object }) => auth.call('logout', {}, key as never),
      ({ key }: { key: object }) =>
        auth.call('revokeAllKeys', { includeCurrent: false }, key as never),
      ({ userId }: { userId: string }) => suspendUser(userId),
      (_: object, token: string) =>
        fetch(`${auth.url}/_auth/oauth2/revoke`, {
          method: 'POST',
          headers: intranet.basic(),
          body: new URLSearchParams({ token }),
        }),
    ]
    for (const end of ends) {
      const user = await auth.signedInUser()
      const { access_token } = await intranet.signIn(user)
      expect((await intranet.userinfo(access_token)).status).toBe(200)
      await end(user, access_token)
      const { status, headers } = await intranet.userinfo(access_token)
      expect([status, headers.get('www-authenticate')]).toEqual([
        401,
        'Bearer scope="openid", error="invalid_token", DPoP scope="openid", error="invalid_token", algs="ES256 RS256"',
      ])
    }
  })

  it('is not revoked by another client', async () => {
    const { access_token: token } = await intranet.signIn(await auth.signedInUser())
    const body = new URLSearchParams({ token })
    const url = `${auth.url}/_auth/oauth2/revoke`
    const { status } = await fetch(url, { method: 'POST', headers: partner.basic(), body })
    expect([status, (await intranet.userinfo(token)).status]).toEqual([200, 200])
  })
})

describe('what is published', () => {
  it('are the public halves of all keys, and nothing else of them', async () => {
    const { keys } = await (await fetch(`${auth.url}/_auth/oauth2/jwks`)).json()
    const shared = { use: 'sig' }
    const [first, second, rsa] = openidKeys as unknown as Record<string, string>[]
    const ec = ({ kty, crv, x, y, kid }: Record<string, string> = {}) => ({
      ...shared,
      kty,
      crv,
      x,
      y,
      kid,
      alg: 'ES256',
    })
    const { kty, n, e, kid } = rsa ?? {}
    expect(keys).toEqual([ec(first), ec(second), { ...shared, kty, n, e, kid, alg: 'RS256' }])
  })

  it('is the metadata of Discovery, section 3, with what holds here', async () => {
    const answer = await auth.server.fetch('/.well-known/openid-configuration')
    const at = (path: string) => `${issuer}/_auth/oauth2/${path}`
    expect(await answer.json()).toEqual({
      issuer,
      authorization_endpoint: at('authorize'),
      token_endpoint: at('token'),
      userinfo_endpoint: at('userinfo'),
      end_session_endpoint: at('logout'),
      revocation_endpoint: at('revoke'),
      jwks_uri: at('jwks'),
      scopes_supported: ['openid', 'profile', 'email'],
      claims_supported:
        'iss sub aud iat exp auth_time nonce at_hash sid name preferred_username email email_verified'.split(
          ' ',
        ),
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code'],
      subject_types_supported: ['public'],
      prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
      id_token_signing_alg_values_supported: ['ES256', 'RS256'],
      token_endpoint_auth_methods_supported: [
        'none',
        'client_secret_basic',
        'client_secret_post',
        'private_key_jwt',
      ],
      token_endpoint_auth_signing_alg_values_supported: ['ES256', 'RS256', 'PS256', 'EdDSA'],
      code_challenge_methods_supported: ['S256'],
      dpop_signing_alg_values_supported: ['ES256', 'RS256'],
      authorization_response_iss_parameter_supported: true,
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
      claims_parameter_supported: false,
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
    })
  })
})
