import { defineRouter, route } from '@svc/core'
import { afterAll, describe, expect, it } from 'vitest'
import { getAuth } from '../authenticate/context.ts'
import type { DeviceKey } from '../device-key/device-key.ts'
import { dpopProof } from '../dpop/sign-dpop.ts'
import { oauth2GrantedEvent, oauth2RevokedEvent } from '../events.ts'
import { requirePermissions } from '../roles/require-permissions.ts'
import { requireRole } from '../roles/require-role.ts'
import { suspendUser } from '../suspension/suspend-user.ts'
import { createTestKey, startTestAuth, type TestUser } from '../testing.ts'
import { accessTokenAuth } from './access-token-auth.ts'
import { agentOptions, issuer, pkce, redirectUri, testAgents } from './test-agent.ts'
import { verifyAccessToken } from './verify-access-token.ts'

const forAgents = [accessTokenAuth('/mcp')]
const router = defineRouter({
  tools: route
    .get('/mcp')
    .use(forAgents)
    .handler((c) => {
      const { userId, kind, permissions } = getAuth(c)
      return { userId, kind, permissions }
    }),
  readUsers: route
    .get('/mcp/users')
    .use([...forAgents, requirePermissions('user:read')])
    .handler(() => ({})),
  byRole: route
    .get('/mcp/role')
    .use([...forAgents, requireRole('admin')])
    .handler(() => ({})),
  own: route.get('/own').handler(() => ({})),
})
const auth = await startTestAuth({ ...agentOptions, router })
afterAll(auth.stop)
const agents = testAgents(auth)
const agent = await agents.register()

const refused = (error: string, status = 400) => ({ status, body: { error } })
const isOpen = async (token: string) => (await agents.open(token)).status === 200

describe('a grant', () => {
  it('goes from consent to a token that opens its resource, as the account and with the scopes alone (A-269)', async () => {
    const user = await auth.signedInUser({ role: 'admin' })
    const token = await agents.tokens(user, agent, { scope: 'user:read board' })
    expect(token).toMatchObject({
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'user:read board',
    })
    const opened = await agents.open(token.access_token)
    const { userId } = user
    expect(opened.body).toEqual({ userId, kind: 'agent', permissions: ['user:read'] })
    expect((await agents.open(token.access_token, { path: '/mcp/users' })).status).toBe(200)
    // A role is more than what was allowed.
    expect((await agents.open(token.access_token, { path: '/mcp/role' })).status).toBe(403)
    expect((await agents.open(token.access_token, { path: '/own' })).status).toBe(401)
  })

  it('gives nothing that the account does not hold', async () => {
    const user = await auth.signedInUser()
    const token = await agents.tokens(user, agent, { scope: 'user:read' })
    expect((await agents.open(token.access_token)).body.permissions).toEqual([])
    expect((await agents.open(token.access_token, { path: '/mcp/users' })).status).toBe(403)
  })

  it('is told of, listed, and taken back: its tokens open nothing from the next request on', async () => {
    const told: unknown[] = []
    const ends = [oauth2GrantedEvent, oauth2RevokedEvent].map((event) =>
      event.subscribe((payload) => told.push(payload)),
    )
    const [user, other] = [await auth.signedInUser(), await auth.signedInUser()]
    const token = await agents.tokens(user, agent)
    const list = await auth.call('listOAuth2Grants', undefined, user.key)
    const [grant] = list.body.grants
    expect(list.body.grants).toEqual([
      {
        grantId: expect.any(String),
        clientId: agent.clientId,
        clientName: '127.0.0.1:7777',
        redirectHost: '127.0.0.1:7777',
        scopes: [{ name: 'board', description: 'Read the board' }],
        resource: '/mcp',
        createdAtMillis: auth.clock.now().getTime(),
        lastUsedAtMillis: auth.clock.now().getTime(),
        expiresAtMillis: auth.clock.now().getTime() + 30 * 86_400_000,
      },
    ])
    const take = (grantId: string, { key } = user) =>
      auth.call('revokeOAuth2Grant', undefined, key, { params: { grantId } })
    for (const id of [crypto.randomUUID(), 'none']) expect((await take(id)).status).toBe(404)
    expect((await take(grant.grantId, other)).status).toBe(404)
    expect(await take(grant.grantId)).toMatchObject({
      status: 200,
      body: { grantId: grant.grantId },
    })
    expect((await take(grant.grantId)).status).toBe(404)
    expect(await isOpen(token.access_token)).toBe(false)
    expect(await agents.refresh(agent, token.refresh_token)).toMatchObject(refused('invalid_grant'))
    for (const end of ends) end()
    const { userId } = user
    expect(told).toEqual([
      expect.objectContaining({ userId, clientId: agent.clientId, scopes: ['board'] }),
      { userId, grantId: grant.grantId, clientId: agent.clientId, reason: 'owner' },
    ])
  })

  it('ends with whatever signs out everywhere, a change of the password and a suspension', async () => {
    const everywhere = (key: object) =>
      auth.call('revokeAllKeys', { includeCurrent: false }, key as never)
    const changed = {
      currentPassword: 'correct horse battery staple',
      newPassword: 'another pass phrase',
    }
    const ends = [
      ({ key }: { key: object }) => everywhere(key),
      ({ key }: { key: object }) => auth.call('changePassword', changed, key as never),
      ({ userId }: { userId: string }) => suspendUser(userId),
    ]
    for (const end of ends) {
      const user = await auth.signedInUser()
      const token = await agents.tokens(user, agent)
      const waiting = await agents.allow(user, agent)
      expect(await isOpen(token.access_token)).toBe(true)
      await end(user)
      expect(await isOpen(token.access_token)).toBe(false)
      expect(await agents.refresh(agent, token.refresh_token)).toMatchObject(
        refused('invalid_grant'),
      )
      expect(await agents.redeem(agent, waiting)).toMatchObject(refused('invalid_grant'))
    }
  })
})

describe('the authorization endpoint', () => {
  const { challenge } = pkce()
  const visit = (fields: object) =>
    fetch(`${auth.url}/_auth/oauth2/authorize?${new URLSearchParams(fields as never)}`, {
      redirect: 'manual',
    })

  it('passes a browser on to the consent page with what it was asked', async () => {
    const asked = agents.asked(agent, challenge, { scope: 'board' })
    const answer = await visit(asked)
    expect(answer.status).toBe(302)
    const to = new URL(answer.headers.get('location') ?? '')
    expect(to.origin + to.pathname).toBe(`${issuer}/oauth2/consent`)
    expect(Object.fromEntries(to.searchParams)).toEqual(asked)
  })

  it('tells who signs what there is to agree to', async () => {
    const user = await auth.signedInUser()
    const query = agents.asked(agent, challenge, {
      scope: 'user:read',
      resource: `${auth.url}/mcp`,
    })
    const answer = await auth.call('getOAuth2Authorize', undefined, user.key, { query })
    expect(answer.body).toEqual({
      clientId: agent.clientId,
      clientName: '127.0.0.1:7777',
      redirectHost: '127.0.0.1:7777',
      resource: '/mcp',
      scopes: [{ name: 'user:read', description: 'See who else is here' }],
    })
  })

  it('sends nobody anywhere whom it does not know', async () => {
    const nowhere = [
      { client_id: 'unknown' },
      { client_id: undefined },
      { redirect_uri: 'https://evil.example/callback' },
      { redirect_uri: `${redirectUri}/more` },
      { redirect_uri: `${redirectUri}?x=y` },
      { redirect_uri: redirectUri.replace('127.0.0.1', 'localhost') },
      { redirect_uri: redirectUri.toUpperCase() },
    ]
    for (const fields of nowhere) {
      const asked = agents.asked(agent, challenge, fields)
      const given = Object.entries(asked).filter(([, value]) => value !== undefined)
      const answer = await visit(Object.fromEntries(given))
      expect([answer.status, (await answer.json()).error]).toEqual([400, 'invalid_request'])
    }
  })

  it('tells the client what is wrong, with state and iss in every answer (RFC 9207)', async () => {
    const wrong = [
      ['unsupported_response_type', { response_type: 'token' }],
      ['invalid_request', { code_challenge: '' }],
      ['invalid_request', { code_challenge_method: 'plain' }],
      ['invalid_scope', { scope: 'board everything' }],
      ['invalid_target', { resource: 'https://elsewhere.example/mcp' }],
      ['invalid_target', { resource: `${auth.url}/mcp#part` }],
    ] as const
    const user = await auth.signedInUser()
    for (const [error, fields] of wrong) {
      const asked = agents.asked(agent, challenge, fields)
      const to = new URL((await visit(asked)).headers.get('location') ?? '')
      expect(`${to.origin}${to.pathname}`).toBe(redirectUri)
      expect(Object.fromEntries(to.searchParams)).toMatchObject({
        error,
        state: 'a state',
        iss: issuer,
      })
      expect(await agents.decide(user, asked)).toMatchObject(refused(error))
    }
    const denied = await agents.decide(user, agents.asked(agent, challenge), 'deny')
    const { searchParams } = new URL(denied.body.redirectTo)
    expect(searchParams.get('error')).toBe('access_denied')
    expect([searchParams.get('iss'), searchParams.get('code')]).toEqual([issuer, null])
    const { answer } = await agents.allow(user, agent)
    expect([answer.get('iss'), answer.get('state')]).toEqual([issuer, 'a state'])
  })

  it('leads no browser to a page that anybody could have registered, without a word (RFC 9700)', async () => {
    const redirect_uri = 'https://agent.example.com/callback'
    const remote = await agents.register({ redirect_uris: [redirect_uri] })
    const wrong = { ...agents.asked(remote, challenge, { redirect_uri }), scope: 'everything' }
    const url = `${auth.url}/_auth/oauth2/authorize?${new URLSearchParams(wrong)}`
    const goTo = async (accept: string) => {
      const answer = await fetch(url, { redirect: 'manual', headers: { accept } })
      return new URL(answer.headers.get('location') ?? '').origin
    }
    expect(await goTo('text/html,application/xhtml+xml,*/*;q=0.8')).toBe(issuer)
    expect(await goTo('*/*')).toBe('https://agent.example.com')
    const unknown = `${auth.url}/_auth/oauth2/authorize?client_id=unknown`
    const headers = { accept: 'text/html' }
    const answer = await fetch(unknown, { redirect: 'manual', headers })
    expect(answer.headers.get('location')).toBe(`${issuer}/oauth2/consent?client_id=unknown`)
  })

  it('takes any port of a loopback address', async () => {
    const asked = agents.asked(agent, challenge, {
      redirect_uri: 'http://127.0.0.1:50123/callback',
    })
    expect((await visit(asked)).status).toBe(302)
  })
})

describe('a code', () => {
  it('is for its client, its redirect URI and the verifier of its challenge', async () => {
    const user = await auth.signedInUser()
    const code = await agents.allow(user, agent)
    const other = await agents.register()
    expect(await agents.redeem(other, code)).toMatchObject(refused('invalid_grant'))
    const wrong = [
      { redirect_uri: `${redirectUri}2` },
      { code_verifier: undefined },
      { code_verifier: '' },
      { code_verifier: pkce().verifier },
      { code_verifier: pkce().challenge },
      { code: 'x'.repeat(43) },
      { code: undefined },
    ]
    for (const form of wrong) {
      expect(await agents.redeem(agent, code, { form })).toMatchObject(refused('invalid_grant'))
    }
    const resource = 'https://files.example.com/'
    expect(await agents.redeem(agent, code, { form: { resource } })).toMatchObject(
      refused('invalid_target'),
    )
    expect((await agents.redeem(agent, code)).status).toBe(200)
  })

  it('is good for less than a minute', async () => {
    const user = await auth.signedInUser()
    const [first, second] = [await agents.allow(user, agent), await agents.allow(user, agent)]
    auth.clock.advance(59_999)
    expect((await agents.redeem(agent, first)).status).toBe(200)
    auth.clock.advance(1)
    expect(await agents.redeem(agent, second)).toMatchObject(refused('invalid_grant'))
  })

  it('that is used again ends what it began', async () => {
    const user = await auth.signedInUser()
    const code = await agents.allow(user, agent)
    const first = await agents.redeem(agent, code)
    auth.clock.advance(1)
    expect(await agents.redeem(agent, code)).toMatchObject(refused('invalid_grant'))
    expect(await isOpen(first.body.access_token)).toBe(false)
    expect(await agents.refresh(agent, first.body.refresh_token)).toMatchObject(
      refused('invalid_grant'),
    )
  })
})

describe('a refresh token', () => {
  it('gives way to the next; used again, it ends the whole family', async () => {
    const user = await auth.signedInUser()
    const first = await agents.tokens(user, agent)
    const second = await agents.refresh(agent, first.refresh_token)
    expect(second.status).toBe(200)
    expect(await isOpen(second.body.access_token)).toBe(true)
    auth.clock.advance(1)
    expect(await agents.refresh(agent, first.refresh_token)).toMatchObject(refused('invalid_grant'))
    expect(await isOpen(second.body.access_token)).toBe(false)
    expect(await agents.refresh(agent, second.body.refresh_token)).toMatchObject(
      refused('invalid_grant'),
    )
  })

  it('is its client’s, and gives no more than was granted', async () => {
    const user = await auth.signedInUser({ role: 'admin' })
    const token = await agents.tokens(user, agent, { scope: 'user:read board' })
    const other = await agents.register()
    const attempt = (by: typeof agent, form = {}) =>
      agents.refresh(by, token.refresh_token, { form })
    expect(await attempt(other)).toMatchObject(refused('invalid_grant'))
    expect(await attempt(agent, { scope: 'user:read audit:read' })).toMatchObject(
      refused('invalid_scope'),
    )
    expect(await attempt(agent, { resource: `${auth.url}/other` })).toMatchObject(
      refused('invalid_target'),
    )
    const narrow = await attempt(agent, { scope: 'board' })
    expect(narrow.body.scope).toBe('board')
    expect((await agents.open(narrow.body.access_token)).body.permissions).toEqual([])
    // What was left out once was not given up.
    const whole = await agents.refresh(agent, narrow.body.refresh_token)
    expect(whole.body.scope).toBe('user:read board')
  })

  it('is good for thirty days from the last', async () => {
    const user = await auth.signedInUser()
    const first = await agents.tokens(user, agent)
    auth.clock.advance('29d')
    const second = await agents.refresh(agent, first.refresh_token)
    auth.clock.advance('29d')
    const third = await agents.refresh(agent, second.body.refresh_token)
    expect(third.status).toBe(200)
    auth.clock.advance('30d')
    expect(await agents.refresh(agent, third.body.refresh_token)).toMatchObject(
      refused('invalid_grant'),
    )
  })

  it('needs the secret of a client that has one', async () => {
    const user = await auth.signedInUser()
    const method = { token_endpoint_auth_method: 'client_secret_post' }
    const confidential = await agents.register(method)
    const token = await agents.tokens(user, confidential)
    const { clientId } = confidential
    for (const clientSecret of [undefined, 'x'.repeat(43)]) {
      const impostor = { clientId, ...(clientSecret && { clientSecret }) }
      expect(await agents.refresh(impostor, token.refresh_token)).toMatchObject(
        refused('invalid_client', 401),
      )
    }
    expect((await agents.refresh(confidential, token.refresh_token)).status).toBe(200)
  })
})

describe('an access token', () => {
  it('lives an hour, and opens the resource that it was given for', async () => {
    const user = await auth.signedInUser()
    const { access_token: token } = await agents.tokens(user, agent, {
      resource: `${auth.url}/other`,
    })
    expect(await isOpen(token)).toBe(false)
    expect(await verifyAccessToken(token, '/other')).toMatchObject({
      userId: user.userId,
      clientId: agent.clientId,
      resource: '/other',
      scopes: ['board'],
    })
    expect(await verifyAccessToken(token, 'https://files.example.com/')).toBeNull()
    expect(await verifyAccessToken('', '/other')).toBeNull()
    auth.clock.advance(3_600_000)
    expect(await verifyAccessToken(token, '/other')).toBeNull()
  })

  it('is asked for in the words of RFC 9728', async () => {
    const none = await fetch(`${auth.url}/mcp`)
    const where = `resource_metadata="${auth.url}/.well-known/oauth-protected-resource/mcp"`
    expect([none.status, none.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer ${where}, DPoP ${where}, algs="ES256 RS256"`,
    ])
    const bad = await agents.open('x'.repeat(43))
    expect(bad.headers.get('www-authenticate')).toContain(`Bearer ${where}, error="invalid_token"`)
    const user = await auth.signedInUser()
    const token = await agents.tokens(user, agent)
    const good = await agents.open(token.access_token)
    expect(good.headers.get('www-authenticate')).toBeNull()
    for (const authorization of [`DPoP ${token.access_token}`, `bearer ${token.refresh_token}`]) {
      expect((await agents.open('', { headers: { authorization } })).status).toBe(401)
    }
  })
})

describe('a token that is bound to a key (RFC 9449)', () => {
  const proof = (key: DeviceKey, path: string, { method = 'POST', token = '' } = {}) =>
    dpopProof(key, {
      method,
      url: `${auth.url}${path}`,
      nowMillis: auth.clock.now().getTime(),
      ...(token && { token }),
    })
  const withProof = async (key: DeviceKey) => ({
    headers: { dpop: await proof(key, '/_auth/oauth2/token') },
  })
  const bound = async (user: TestUser, key: DeviceKey) => {
    const code = await agents.allow(user, agent)
    const { status, body } = await agents.redeem(agent, code, await withProof(key))
    expect([status, body.token_type]).toEqual([200, 'DPoP'])
    return body as { access_token: string; refresh_token: string }
  }
  const opened = async (token: string, key: DeviceKey) => {
    const dpop = await proof(key, '/mcp', { method: 'GET', token })
    const headers = { authorization: `DPoP ${token}`, dpop }
    return (await agents.open(token, { headers })).status
  }

  it('opens nothing without it, and is renewed with it alone', async () => {
    const [user, key, other] = [
      await auth.signedInUser(),
      await createTestKey(),
      await createTestKey(),
    ]
    const token = await bound(user, key)
    expect(await opened(token.access_token, key)).toBe(200)
    expect(await opened(token.access_token, other)).toBe(401)
    expect(await isOpen(token.access_token)).toBe(false)
    const dpop = await proof(key, '/mcp', { method: 'GET', token: token.access_token })
    expect((await agents.open(token.access_token, { headers: { dpop } })).status).toBe(401)
    expect(await verifyAccessToken(token.access_token, '/mcp')).toBeNull()
    for (const options of [{}, await withProof(other)]) {
      const answer = await agents.refresh(agent, token.refresh_token, options)
      expect(answer).toMatchObject(refused('invalid_dpop_proof'))
    }
    const next = await agents.refresh(agent, token.refresh_token, await withProof(key))
    expect(await opened(next.body.access_token, key)).toBe(200)
    const plain = await agents.tokens(user, agent)
    const late = await agents.refresh(agent, plain.refresh_token, await withProof(key))
    expect(late).toMatchObject(refused('invalid_dpop_proof'))
  })

  it('dies with the device whose key it is', async () => {
    const user = await auth.signedInUser()
    const device = await auth.signIn(user)
    const token = await bound(user, device)
    expect(await opened(token.access_token, device)).toBe(200)
    const { grants } = (await auth.call('listOAuth2Grants', undefined, user.key)).body
    expect(grants).toMatchObject([{ keyId: device.keyId }])
    await auth.call('revokeKey', { keyId: device.keyId }, user.key)
    expect(await opened(token.access_token, device)).toBe(401)
    const answer = await agents.refresh(agent, token.refresh_token, await withProof(device))
    expect(answer).toMatchObject(refused('invalid_grant'))
  })

  it('is what a client gets that has promised to bind its tokens, and nothing else', async () => {
    const user = await auth.signedInUser()
    const promised = await agents.register({ dpop_bound_access_tokens: true })
    const code = await agents.allow(user, promised)
    expect(await agents.redeem(promised, code)).toMatchObject(refused('invalid_dpop_proof'))
    const key = await createTestKey()
    expect((await agents.redeem(promised, code, await withProof(key))).body.token_type).toBe('DPoP')
  })
})

describe('revocation', () => {
  it('ends the grant by either token, and knows no token of another client', async () => {
    const user = await auth.signedInUser()
    const other = await agents.register()
    for (const kind of ['access_token', 'refresh_token'] as const) {
      const tokens = await agents.tokens(user, agent)
      const send = (by: typeof agent, token?: string) =>
        agents.send('revoke', { client_id: by.clientId, token })
      expect(await send(agent)).toMatchObject(refused('invalid_request'))
      expect((await send(other, tokens[kind])).status).toBe(200)
      expect((await send(agent, 'x'.repeat(43))).status).toBe(200)
      expect(await isOpen(tokens.access_token)).toBe(true)
      expect(await send(agent, tokens[kind])).toMatchObject({ status: 200, body: {} })
      expect(await isOpen(tokens.access_token)).toBe(false)
      expect(await agents.refresh(agent, tokens.refresh_token)).toMatchObject(
        refused('invalid_grant'),
      )
    }
  })
})

describe('the token endpoint', () => {
  it('refuses in the words of RFC 6749 (A-270)', async () => {
    const form = (fields: Record<string, string>) =>
      agents.send('token', { client_id: agent.clientId, ...fields })
    expect(await form({})).toMatchObject(refused('invalid_request'))
    expect(await form({ grant_type: 'password' })).toMatchObject(refused('unsupported_grant_type'))
    expect(await form({ grant_type: 'client_credentials' })).toMatchObject(
      refused('unsupported_grant_type'),
    )
    const unknown = { client_id: 'unknown', grant_type: 'authorization_code', code: 'x' }
    expect(await form(unknown)).toMatchObject(refused('invalid_client', 401))
    const twice = 'grant_type=refresh_token&grant_type=refresh_token'
    const send = async (body: string, type = 'application/x-www-form-urlencoded') => {
      const init = { method: 'POST', body, headers: { 'content-type': type } }
      const answer = await fetch(`${auth.url}/_auth/oauth2/token`, init)
      return { status: answer.status, body: await answer.json() }
    }
    expect(await send(twice)).toMatchObject(refused('invalid_request'))
    expect(await send('{}', 'application/json')).toMatchObject(refused('invalid_request'))
  })
})
