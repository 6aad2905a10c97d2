import { afterAll, describe, expect, it } from 'vitest'
import { oauth2GrantedEvent, oauth2RevokedEvent } from '../events.ts'
import { suspendUser } from '../suspension/suspension.ts'
import { startTestAuth } from '../testing.ts'
import { refused, testAgents } from './testing/test-agent.ts'
import { agentApp } from './testing/test-agent-app.ts'
import { verifyAccessToken } from './verify-access-token.ts'

const auth = await startTestAuth(agentApp)
afterAll(auth.stop)
const agents = testAgents(auth)
const agent = await agents.register()

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

  it('is told of, listed, and taken back: its tokens open nothing from the next request on (A-047)', async () => {
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
    expect(await agents.isOpen(token.access_token)).toBe(false)
    expect(await agents.refresh(agent, token.refresh_token)).toMatchObject(refused('invalid_grant'))
    for (const end of ends) end()
    const { userId } = user
    expect(told).toEqual([
      expect.objectContaining({ userId, clientId: agent.clientId, scopes: ['board'] }),
      { userId, grantId: grant.grantId, clientId: agent.clientId, reason: 'owner' },
    ])
  })

  it('ends with every sign-out everywhere, a change of the password and a suspension', async () => {
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
      expect(await agents.isOpen(token.access_token)).toBe(true)
      await end(user)
      expect(await agents.isOpen(token.access_token)).toBe(false)
      expect(await agents.refresh(agent, token.refresh_token)).toMatchObject(
        refused('invalid_grant'),
      )
      expect(await agents.redeem(agent, waiting)).toMatchObject(refused('invalid_grant'))
    }
  })
})

describe('an access token', () => {
  it('lives an hour, and opens the resource that it was given for', async () => {
    const user = await auth.signedInUser()
    const { access_token: token } = await agents.tokens(user, agent, {
      resource: `${auth.url}/other`,
    })
    expect(await agents.isOpen(token)).toBe(false)
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
    const scope = 'scope="user:read audit:read board"'
    expect([none.status, none.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer ${where}, ${scope}, DPoP ${where}, ${scope}, algs="ES256 RS256"`,
    ])
    const bad = await agents.open('x'.repeat(43))
    expect(bad.headers.get('www-authenticate')).toContain(
      `Bearer ${where}, error="invalid_token", ${scope}`,
    )
    const user = await auth.signedInUser()
    const token = await agents.tokens(user, agent)
    const good = await agents.open(token.access_token)
    expect(good.headers.get('www-authenticate')).toBeNull()
    for (const authorization of [`DPoP ${token.access_token}`, `bearer ${token.refresh_token}`]) {
      expect((await agents.open('', { headers: { authorization } })).status).toBe(401)
    }
  })

  it('that lacks a scope is told which ones it needs, where they would help (RFC 6750, 3.1)', async () => {
    const admin = await auth.signedInUser({ role: 'admin' })
    const asks = async (scope: string, path = '/mcp/users') => {
      const { access_token } = await agents.tokens(admin, agent, { scope })
      const { status, headers } = await agents.open(access_token, { path })
      return { status, challenge: headers.get('www-authenticate') }
    }
    const where = `resource_metadata="${auth.url}/.well-known/oauth-protected-resource/mcp"`
    const needed = `${where}, error="insufficient_scope", scope="board user:read"`
    expect(await asks('board')).toEqual({
      status: 403,
      challenge: `Bearer ${needed}, DPoP ${needed}, algs="ES256 RS256"`,
    })
    expect(await asks('board user:read')).toEqual({ status: 200, challenge: null })
    // With the scope, it still lacks a permission that is no scope: its user would be asked in vain.
    expect(await asks('board', '/mcp/invite')).toEqual({ status: 403, challenge: null })
    // Of several permissions, one is enough: the agent asks for the first that is a scope.
    expect((await asks('board', '/mcp/any')).challenge).toContain('scope="board user:read"')
    // A role is no scope.
    const user = await auth.signedInUser()
    expect(await asks('board', '/mcp/role')).toEqual({ status: 403, challenge: null })
    // The account has not the permission: another token would not have it either.
    const { access_token } = await agents.tokens(user, agent, { scope: 'user:read' })
    const { status, headers } = await agents.open(access_token, { path: '/mcp/users' })
    expect([status, headers.get('www-authenticate')]).toEqual([403, null])
  })

  it('takes the scheme however it is written', async () => {
    const token = await agents.tokens(await auth.signedInUser(), agent)
    for (const scheme of ['bearer', 'BEARER']) {
      const authorization = `${scheme} ${token.access_token}`
      expect((await agents.open('', { headers: { authorization } })).status).toBe(200)
    }
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
      expect(await agents.isOpen(tokens.access_token)).toBe(true)
      expect(await send(agent, tokens[kind])).toMatchObject({ status: 200, body: {} })
      expect(await agents.isOpen(tokens.access_token)).toBe(false)
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
