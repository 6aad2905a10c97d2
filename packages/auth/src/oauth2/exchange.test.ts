import { defineRouter, route } from '@svc/core'
import { afterAll, describe, expect, it } from 'vitest'
import { recordAudit } from '../audit/audit.ts'
import { getUserId, requestOrigin } from '../caller/caller.ts'
import { createAuthLifecycle } from '../lifecycle.ts'
import { createTestKey, startTestAuth, type TestKey, type TestUser } from '../testing.ts'
import { dpopProof } from './client.ts'
import { accessTokenAuth, getAccessToken } from './oauth2.ts'
import { issuer, refused, testAgents } from './testing/test-agent.ts'
import { mail, openServiceHost, testServices } from './testing/test-exchange.ts'
import { files, testResourceServer } from './testing/test-resource-server.ts'

const host = await openServiceHost()
const router = defineRouter({
  tools: route
    .get('/mcp')
    .use([accessTokenAuth('/mcp')])
    .handler((c) => getAccessToken(c)),
  act: route
    .post('/mcp')
    .use([accessTokenAuth('/mcp')])
    .handler(async (c) => {
      const at = auth.clock.now()
      const entry = { actor: getUserId(c), origin: requestOrigin(c.raw), at }
      await recordAudit(auth.auth.db, { act: 'stream.ended', ...entry })
      return {}
    }),
})
const auth = await startTestAuth({ ...host.options, router })
afterAll(async () => {
  host.close()
  await auth.stop()
})

const agents = testAgents(auth)
const agent = await agents.register()
const services = testServices(auth)
const { exchange, exchanged } = services
const server = testResourceServer(auth, issuer)
/** What the server of the mail is told. */
const atMail = (token: string) =>
  server.ask(token, { form: server.signed({ claims: { iss: mail, sub: mail } }) })
const [filesClient, relay, reader] = [host.at('files'), host.at('relay'), host.at('reader')]

const tokenOf = async (user: TestUser, fields: Record<string, string> = {}) =>
  (await agents.tokens(user, agent, { resource: files, ...fields })).access_token
const grantsOf = async (user: TestUser) =>
  (await auth.call('listOAuth2Grants', undefined, user.key)).body.grants as {
    grantId: string
    parentId?: string
    clientId: string
  }[]
const pool = auth.infrastructure.database?.pool ?? expect.unreachable()
const inDatabase = (text: string, ...values: unknown[]) => pool.query(text, values)
const atMcp = `${auth.url}/mcp`
const types = 'urn:ietf:params:oauth:token-type'
const unsigned = { client_assertion: undefined, client_assertion_type: undefined }
const seconds = () => Math.floor(auth.clock.now().getTime() / 1000)

describe('token exchange (RFC 8693)', () => {
  it('gives a service a token for the next one, which says who acts for whom', async () => {
    const user = await auth.signedInUser({ role: 'admin' })
    const token = await tokenOf(user, { scope: 'user:read board' })
    const { status, headers, body } = await exchange(filesClient, token)
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'user:read board',
    })
    expect((await atMail(body.access_token)).body).toEqual({
      active: true,
      scope: 'user:read board',
      client_id: filesClient,
      sub: user.userId,
      aud: mail,
      exp: seconds() + 3600,
      act: { sub: filesClient, act: { sub: agent.clientId } },
      token_type: 'Bearer',
      permissions: ['user:read'],
    })
  })

  it('names the whole chain to the route that a token opens, its newest client first', async () => {
    const user = await auth.signedInUser()
    const token = await exchanged(relay, await tokenOf(user), { form: { resource: atMcp } })
    const { status, body } = await agents.open(token)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      userId: user.userId,
      clientId: relay,
      actors: [relay, agent.clientId],
      scopes: ['board'],
    })
    const plain = await agents.open((await agents.tokens(user, agent)).access_token)
    expect(plain.body.actors).toEqual([])
  })

  it('names the chain in the trail of what is done with the token', async () => {
    const user = await auth.signedInUser()
    const token = await exchanged(relay, await tokenOf(user), { form: { resource: atMcp } })
    const headers = { authorization: `Bearer ${token}` }
    expect((await fetch(atMcp, { method: 'POST', headers })).status).toBe(200)
    const { rows } = await inDatabase(
      `select details from svc_auth.audit_events where act = 'stream.ended' and actor = $1`,
      user.userId,
    )
    const grantId = (await grantsOf(user)).find((each) => each.clientId === relay)?.grantId
    const actors = [relay, agent.clientId]
    expect(rows).toEqual([{ details: { agent: { clientId: relay, grantId, actors } } }])
  })

  it('nests each earlier actor in the next (section 4.1)', async () => {
    const user = await auth.signedInUser()
    const token = await exchanged(relay, await exchanged(filesClient, await tokenOf(user)), {
      form: { resource: mail },
    })
    const act = { sub: relay, act: { sub: filesClient, act: { sub: agent.clientId } } }
    expect((await atMail(token)).body).toMatchObject({ client_id: relay, act })
  })

  it('expires with the exchanged token, and is never renewed', async () => {
    const user = await auth.signedInUser()
    const token = await tokenOf(user)
    auth.clock.advance('50m')
    const { body } = await exchange(filesClient, token)
    expect(body).toMatchObject({ expires_in: 600 })
    expect(body).not.toHaveProperty('refresh_token')
    auth.clock.advance('9m')
    expect((await atMail(body.access_token)).body.active).toBe(true)
    auth.clock.advance('2m')
    expect((await atMail(body.access_token)).body).toEqual({ active: false })
  })

  it('has no more scopes than the exchanged token, nor than the application allows', async () => {
    const user = await auth.signedInUser({ role: 'admin' })
    const token = await tokenOf(user, { scope: 'user:read board' })
    const narrow = await exchange(relay, token, { form: { scope: 'board' } })
    expect(narrow.body.scope).toBe('board')
    const wide = { form: { scope: 'user:read board' } }
    expect(await exchange(relay, narrow.body.access_token, wide)).toMatchObject(
      refused('invalid_scope'),
    )
    expect((await exchange(reader, token)).body.scope).toBe('board')
    expect(await exchange(reader, token, wide)).toMatchObject(refused('invalid_scope'))
    const other = await tokenOf(user, { scope: 'user:read' })
    expect(await exchange(reader, other)).toMatchObject(refused('invalid_scope'))
  })

  it('gives no permission that the user has lost since', async () => {
    const user = await auth.signedInUser({ otherRoles: ['admin'] })
    const token = await exchanged(filesClient, await tokenOf(user, { scope: 'user:read' }))
    expect((await atMail(token)).body.permissions).toEqual(['user:read'])
    await inDatabase('delete from svc_auth.account_roles where user_id = $1', user.userId)
  })

  it('is one entry of the list, below the grant that it came from, however often it is done', async () => {
    const user = await auth.signedInUser()
    const token = await tokenOf(user)
    auth.clock.advance('1s')
    for (let each = 0; each < 3; each++) await exchanged(filesClient, token)
    const [child, parent, ...more] = await grantsOf(user)
    expect(more).toEqual([])
    expect(parent).not.toHaveProperty('parentId')
    expect(child).toMatchObject({ clientId: filesClient, parentId: parent?.grantId })
    const { rows } = await inDatabase(
      `select target, details from svc_auth.audit_events
       where act = 'oauth2.exchanged' and actor = $1`,
      user.userId,
    )
    const actors = [filesClient, agent.clientId]
    const { grantId, parentId } = child ?? {}
    const details = { clientId: filesClient, grantId, parentId, actors, scopes: ['board'] }
    expect(rows).toEqual([{ target: filesClient, details: { ...details, resource: mail } }])
  })
})

describe('an exchange is refused', () => {
  const unusable = {
    error: 'invalid_request',
    error_description:
      'The subject_token is unknown, expired or revoked, or is for a resource that this client does not serve.',
  }

  it('in the same words for every token that is not usable (section 2.2.2)', async () => {
    const user = await auth.signedInUser()
    const { access_token, refresh_token } = await agents.tokens(user, agent, { resource: files })
    const revoked = await tokenOf(await auth.signedInUser())
    await agents.send('revoke', { client_id: agent.clientId, token: revoked })
    const ofOther = (await agents.tokens(user, agent)).access_token
    const ofMail = await exchanged(filesClient, access_token)
    const { code } = await agents.allow(user, agent, { resource: files })
    const given = ['x'.repeat(43), '', refresh_token, code, revoked, ofOther, ofMail]
    for (const token of given) {
      const { status, body } = await exchange(filesClient, token)
      expect({ status, body }).toEqual({ status: 400, body: unusable })
    }
    auth.clock.advance('61m')
    const late = await exchange(filesClient, access_token)
    expect(late.body).toEqual(unusable)
  })

  it('of a token for a resource that the client does not serve: it was stolen elsewhere', async () => {
    const user = await auth.signedInUser()
    const atOther = (await agents.tokens(user, agent, { resource: atMcp })).access_token
    expect((await exchange(filesClient, atOther)).body).toEqual(unusable)
    expect((await exchange(relay, atOther)).status).toBe(200)
  })

  it('of a client that the application has not listed, however it authenticates', async () => {
    const token = await tokenOf(await auth.signedInUser())
    const unauthorized = refused('unauthorized_client')
    expect(await exchange(host.at('unlisted'), token)).toMatchObject(unauthorized)
    const byId = { ...services.formOf('', token), ...unsigned, client_id: agent.clientId }
    expect(await services.send(byId)).toMatchObject(unauthorized)
  })

  it('of a client that shows nothing but its id, even if its document permits that', async () => {
    const token = await tokenOf(await auth.signedInUser())
    const open = host.at('open')
    const byId = { ...services.formOf('', token), ...unsigned, client_id: open }
    expect(await services.send(byId)).toMatchObject(refused('invalid_client', 401))
    expect((await exchange(open, token)).status).toBe(200)
    const stranger = { ...byId, client_id: filesClient }
    expect(await services.send(stranger)).toMatchObject(refused('invalid_client', 401))
  })

  it.each([
    ['no subject_token', { subject_token: undefined }, 'invalid_request'],
    ['no type of it', { subject_token_type: undefined }, 'invalid_request'],
    ['another type of it', { subject_token_type: `${types}:jwt` }, 'invalid_request'],
    ['another type that it wants', { requested_token_type: `${types}:jwt` }, 'invalid_request'],
    ['an actor_token', { actor_token: 'x' }, 'invalid_request'],
    ['a type of none', { actor_token_type: `${types}:access_token` }, 'invalid_request'],
    ['an audience', { audience: mail }, 'invalid_target'],
    ['an unknown resource', { resource: 'https://unknown.example.com/' }, 'invalid_target'],
    ['a resource that it may not ask for', { resource: files }, 'invalid_target'],
    ['a scope that the token lacks', { scope: 'user:read' }, 'invalid_scope'],
  ])('with %s', async (_, form, error) => {
    const token = await tokenOf(await auth.signedInUser())
    expect(await exchange(filesClient, token, { form })).toMatchObject(refused(error))
  })

  it('accepts the types that there are, and a resource by its name', async () => {
    const token = await tokenOf(await auth.signedInUser())
    const form = { requested_token_type: `${types}:access_token`, resource: mail }
    expect((await exchange(filesClient, token, { form })).status).toBe(200)
  })

  it('after four, so that a chain has an end', async () => {
    let token = await tokenOf(await auth.signedInUser())
    for (let link = 0; link < 4; link++) token = await exchanged(relay, token)
    expect(await exchange(relay, token)).toMatchObject(refused('invalid_request'))
    expect((await atMail(token)).body.active).toBe(true)
  })

  it('where no client is listed: the grant type is unknown, and no metadata names it', async () => {
    const { exchange: _, ...authorizationServer } = host.options.options.authorizationServer
    const off = await startTestAuth({ options: { authorizationServer } })
    const form = testServices(off).formOf(filesClient, 'x'.repeat(43))
    const without = await testServices(off).send(form)
    const named = [await grantTypesOf(off.url), await grantTypesOf(auth.url)]
    await off.stop()
    expect(without).toMatchObject(refused('unsupported_grant_type'))
    const grantType = 'urn:ietf:params:oauth:grant-type:token-exchange'
    expect(named.map((all) => all.includes(grantType))).toEqual([false, true])
  })
})

const grantTypesOf = async (url: string) => {
  const answer = await fetch(`${url}/.well-known/oauth-authorization-server`)
  return (await answer.json()).grant_types_supported
}

describe('tokens that are bound to keys', () => {
  const atToken = async (key: TestKey) => ({
    dpop: await dpopProof(key, {
      method: 'POST',
      url: `${auth.url}/_auth/oauth2/token`,
      nowMillis: auth.clock.now().getTime(),
    }),
  })

  it('binds the new token to the key of the client that exchanges', async () => {
    const key = await createTestKey()
    const token = await tokenOf(await auth.signedInUser())
    const { body } = await exchange(filesClient, token, { headers: await atToken(key) })
    expect(body.token_type).toBe('DPoP')
    expect((await atMail(body.access_token)).body).toMatchObject({
      token_type: 'DPoP',
      cnf: { jkt: expect.any(String) },
    })
  })

  it('exchanges a bound token for no other, and asks a client that has promised it for its key', async () => {
    const user = await auth.signedInUser()
    const code = await agents.allow(user, agent, { resource: files })
    const bound = await agents.redeem(agent, code, {
      headers: await atToken(await createTestKey()),
    })
    const token = bound.body.access_token
    const own = { headers: await atToken(await createTestKey()) }
    expect(await exchange(filesClient, token)).toMatchObject(refused('invalid_dpop_proof'))
    expect((await exchange(filesClient, token, own)).body.token_type).toBe('DPoP')
    const unbound = await tokenOf(user)
    expect(await exchange(host.at('bound'), unbound)).toMatchObject(refused('invalid_dpop_proof'))
  })

  it('takes no device of the account for the key of a client', async () => {
    const user = await auth.signedInUser()
    const headers = await atToken(user.key)
    expect(await exchange(filesClient, await tokenOf(user), { headers })).toMatchObject(
      refused('invalid_dpop_proof'),
    )
  })
})

describe('a configuration that can not work', () => {
  const given = host.options.options.authorizationServer
  it.each([
    ['serves no resource', { [filesClient]: { serves: [], resources: [mail] } }],
    ['has no resources', { [filesClient]: { serves: [files], resources: [] } }],
    ['names "/none"', { [filesClient]: { serves: ['/none'], resources: [mail] } }],
    ['names the scope', { [filesClient]: { serves: [files], resources: [mail], scopes: ['no'] } }],
    ['is no address', { 'a-registered-id': { serves: [files], resources: [mail] } }],
  ])('does not start: it %s', (problem, listed) => {
    const options = { authorizationServer: { ...given, exchange: listed } }
    const lifecycle = createAuthLifecycle(options)
    const start = () => lifecycle.validateEnvironment?.({ DATABASE_URL: 'postgres://127.0.0.1/x' })
    expect(start).toThrow(problem)
  })
})
