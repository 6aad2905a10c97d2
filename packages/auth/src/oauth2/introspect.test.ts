import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { calculateJwkThumbprint } from 'jose'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createAuthLifecycle } from '../lifecycle.ts'
import { suspendUser } from '../suspension/suspension.ts'
import { createTestKey, startTestAuth, type TestKey, type TestUser } from '../testing.ts'
import { dpopProof } from './client.ts'
import { agentOptions, issuer, refused, testAgents } from './testing/test-agent.ts'
import { files, filesServer, testResourceServer } from './testing/test-resource-server.ts'

/** Another server, which publishes its keys. */
const mail = 'https://mail.example.com/'
const mailKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
let published: object | null = null
const host = createServer((_, response) => {
  response.writeHead(published ? 200 : 503, { 'content-type': 'application/json' })
  response.end(JSON.stringify(published))
})
await once(host.listen(0, '127.0.0.1'), 'listening')
const jwksUri = `http://127.0.0.1:${(host.address() as AddressInfo).port}/jwks`

const { authorizationServer } = agentOptions.options
const auth = await startTestAuth({
  options: {
    enforcePasswordChange: true,
    authorizationServer: {
      ...authorizationServer,
      resources: [...authorizationServer.resources, mail],
      resourceServers: { [files]: filesServer, [mail]: { jwksUri } },
    },
  },
})
afterAll(async () => {
  host.close()
  await auth.stop()
})
beforeEach(() => {
  published = { keys: [mailKeys.publicKey.export({ format: 'jwk' })] }
})

const agents = testAgents(auth)
const agent = await agents.register()
const server = testResourceServer(auth, issuer)
const asMail = { claims: { iss: mail, sub: mail }, key: mailKeys.privateKey }

const pool = auth.infrastructure.database?.pool ?? expect.unreachable()
const inDatabase = (text: string, ...values: unknown[]) => pool.query(text, values)

const tokensFor = (user: TestUser, fields: Record<string, string> = {}) =>
  agents.tokens(user, agent, { resource: files, ...fields })
const seconds = () => Math.floor(auth.clock.now().getTime() / 1000)

/** The tokens of an agent that has shown a key of its own. */
async function boundTokens(user: TestUser, key: TestKey) {
  const url = `${auth.url}/_auth/oauth2/token`
  const dpop = await dpopProof(key, { method: 'POST', url, nowMillis: auth.clock.now().getTime() })
  const code = await agents.allow(user, agent, { resource: files })
  const { body } = await agents.redeem(agent, code, { headers: { dpop } })
  expect(body.token_type).toBe('DPoP')
  return body.access_token as string
}

async function thumbprintOf({ registration }: TestKey) {
  const der = Buffer.from(registration.publicKey, 'base64')
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  return calculateJwkThumbprint(key.export({ format: 'jwk' }))
}

describe('introspection (RFC 7662)', () => {
  it('tells the server of a resource what an access token gives access to', async () => {
    const user = await auth.signedInUser({ role: 'admin' })
    const { access_token } = await tokensFor(user, { scope: 'user:read board' })
    auth.clock.advance('10s')
    const { status, headers, body } = await server.ask(access_token)
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(body).toEqual({
      active: true,
      scope: 'user:read board',
      client_id: agent.clientId,
      sub: user.userId,
      aud: files,
      exp: seconds() - 10 + 3600,
      iat: seconds() - 10,
      token_type: 'Bearer',
      permissions: ['user:read'],
    })
  })

  it('names the key that a token is bound to, whose proof the server must ask for', async () => {
    const [user, key] = [await auth.signedInUser(), await createTestKey()]
    const { body } = await server.ask(await boundTokens(user, key))
    expect(body).toMatchObject({
      active: true,
      token_type: 'DPoP',
      cnf: { jkt: await thumbprintOf(key) },
    })
  })

  it('counts as a use of the grant, as its owner sees it', async () => {
    const user = await auth.signedInUser()
    const { access_token } = await tokensFor(user)
    auth.clock.advance('5m')
    await server.ask(access_token)
    const { body } = await auth.call('listOAuth2Grants', undefined, user.key)
    expect(body.grants).toMatchObject([{ lastUsedAtMillis: auth.clock.now().getTime() }])
  })

  it('is read in one statement, so that no end can come between two', async () => {
    const user = await auth.signedInUser()
    const { access_token } = await tokensFor(user)
    const asked = vi.spyOn(pool, 'query')
    expect((await server.ask(access_token)).body.active).toBe(true)
    const statements = asked.mock.calls.map(([first]) => textOf(first))
    asked.mockRestore()
    const reading = statements.filter((text) => /oauth2_tokens|svc_auth.users/.test(text))
    expect(reading).toHaveLength(1)
  })
})

const textOf = (statement: unknown) =>
  typeof statement === 'string' ? statement : String((statement as { text?: unknown }).text)

describe('a token that is not active', () => {
  const nothing = { status: 200, body: { active: false } }
  /** Everything of an answer but its time and its id. */
  const whole = async (token: string) => {
    const { status, headers, body } = await server.ask(token)
    const others = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
    return { status, headers: others, body }
  }

  it('looks as one that never was: of another resource, refreshing, a code, no token at all', async () => {
    const user = await auth.signedInUser()
    const unknown = await whole('x'.repeat(43))
    expect(unknown).toMatchObject(nothing)
    const own = await tokensFor(user)
    const { code } = await agents.allow(user, agent, { resource: files })
    const others = [
      (await agents.tokens(user, agent)).access_token,
      (await tokensFor(user, { resource: mail })).access_token,
      own.refresh_token,
      code,
      `${own.access_token}x`,
      own.access_token.slice(1),
      'x'.repeat(10_000),
      'no token, \u0000 and ✓',
      '',
    ]
    for (const token of others) expect(await whole(token)).toEqual(unknown)
    expect((await server.ask(own.access_token)).body.active).toBe(true)
  })

  it('is one that has expired', async () => {
    const { access_token } = await tokensFor(await auth.signedInUser())
    auth.clock.advance(3_600_000 - 1)
    expect((await server.ask(access_token)).body.active).toBe(true)
    auth.clock.advance(1)
    expect(await server.ask(access_token)).toMatchObject(nothing)
  })

  const everywhere = ({ key }: TestUser) =>
    auth.call('revokeAllKeys', { includeCurrent: false }, key)
  const ends: Record<string, (user: TestUser, token: string) => Promise<unknown>> = {
    'its grant was revoked': async ({ key }) => {
      const { grants } = (await auth.call('listOAuth2Grants', undefined, key)).body
      const params = { grantId: grants[0].grantId as string }
      return auth.call('revokeOAuth2Grant', undefined, key, { params })
    },
    'its client has given it back': (_, token) =>
      agents.send('revoke', { client_id: agent.clientId, token }),
    'the account has signed out everywhere': everywhere,
    'the account was suspended': ({ userId }) => auth.within(() => suspendUser(userId)),
    // As if nothing but its row said so.
    'the account is not active': ({ userId }) =>
      inDatabase(`update svc_auth.users set status = 'suspended' where user_id = $1`, userId),
    'the account is being deleted': ({ key, password }) =>
      auth.call('requestAccountDeletion', { password }, key),
    'the account is deleted': (user) => auth.purge(user),
    'the account must change its password': ({ userId }) =>
      inDatabase(
        'update svc_auth.users set password_change_required = true where user_id = $1',
        userId,
      ),
  }
  it.each(Object.entries(ends))('is one of which %s, from the next question on', async (_, end) => {
    const user = await auth.signedInUser()
    const { access_token } = await tokensFor(user)
    expect((await server.ask(access_token)).body.active).toBe(true)
    await end(user, access_token)
    expect(await whole(access_token)).toEqual(await whole('x'.repeat(43)))
  })

  it('is one that is bound to a device, once the device is signed out or has expired', async () => {
    const user = await auth.signedInUser()
    const [device, expiring] = [await auth.signIn(user), await auth.signIn(user)]
    const [token, other] = [await boundTokens(user, device), await boundTokens(user, expiring)]
    for (const each of [token, other]) {
      expect((await server.ask(each)).body.active).toBe(true)
    }
    await auth.call('logout', undefined, device)
    expect(await server.ask(token)).toMatchObject(nothing)
    await inDatabase(
      'update svc_auth.device_keys set expires_at = $2 where key_id = $1',
      expiring.keyId,
      auth.clock.now(),
    )
    expect(await server.ask(other)).toMatchObject(nothing)
  })

  it('is one that is bound to the key of a support session: its operator is not looked at', async () => {
    const user = await auth.signedInUser()
    const device = await auth.signIn(user)
    const token = await boundTokens(user, device)
    await inDatabase(
      `update svc_auth.device_keys set kind = 'support', actor_id = user_id, actor_key_id = $2
       where key_id = $1`,
      device.keyId,
      user.key.keyId,
    )
    expect(await server.ask(token)).toMatchObject(nothing)
  })

  it('is not one whose account has lost a permission: it is only not said any more', async () => {
    const user = await auth.signedInUser({ otherRoles: ['admin'] })
    const { access_token } = await tokensFor(user, { scope: 'user:read board' })
    expect((await server.ask(access_token)).body.permissions).toEqual(['user:read'])
    await inDatabase('delete from svc_auth.account_roles where user_id = $1', user.userId)
    const { body } = await server.ask(access_token)
    expect(body).toMatchObject({ active: true, scope: 'user:read board', permissions: [] })
  })
})

describe('the server that asks', () => {
  let access_token = ''
  beforeEach(async () => {
    access_token = (await tokensFor(await auth.signedInUser())).access_token
  })
  const active = { status: 200, body: { active: true } }
  const notThatServer = refused('invalid_client', 401)

  it('learns only of the tokens for its own resource', async () => {
    expect(await server.ask(access_token, { form: server.signed(asMail) })).toMatchObject({
      status: 200,
      body: { active: false },
    })
    const own = await tokensFor(await auth.signedInUser(), { resource: mail })
    const { body } = await server.ask(own.access_token, { form: server.signed(asMail) })
    expect(body).toMatchObject({ active: true, aud: mail })
  })

  it('must sign each question, for this server and for now', async () => {
    const hour = 3600
    const wrong: Parameters<typeof server.assertion>[0][] = [
      { key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey },
      { key: mailKeys.privateKey },
      { claims: { aud: files } },
      { claims: { aud: [issuer, files] } },
      { claims: { iss: mail } },
      { claims: { sub: agent.clientId, iss: agent.clientId } },
      { claims: { iss: '/mcp', sub: '/mcp' } },
      { claims: { iat: seconds() - hour, exp: seconds() - hour + 60 } },
      { claims: { exp: seconds() + hour } },
      { claims: { jti: undefined } },
    ]
    for (const signing of wrong) {
      const answer = await server.ask(access_token, { form: server.signed(signing) })
      expect([signing?.claims, answer]).toMatchObject([signing?.claims, notThatServer])
    }
    const { client_assertion } = server.signed()
    const [, claims, signature] = client_assertion.split('.')
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    for (const forged of [`${none}.${claims}.`, `${none}.${claims}.${signature}`, 'a.b.c', '']) {
      const form = { client_assertion: forged }
      expect(await server.ask(access_token, { form })).toMatchObject(notThatServer)
    }
    expect(await server.ask(access_token)).toMatchObject(active)
  })

  it('can say beside it who it is, and must not say another', async () => {
    const ask = (client_id: string) => server.ask(access_token, { form: { client_id } })
    expect(await ask(files)).toMatchObject(active)
    for (const other of [mail, agent.clientId])
      expect(await ask(other)).toMatchObject(notThatServer)
  })

  it('is no client, however that one authenticates', async () => {
    const jwks = { keys: [mailKeys.publicKey.export({ format: 'jwk' })] }
    const register = (token_endpoint_auth_method: string, more: object = {}) =>
      agents.register({ token_endpoint_auth_method, ...more })
    const [posts, signs] = [
      await register('client_secret_post'),
      await register('private_key_jwt', { jwks }),
    ]
    const { clientId: client_id, clientSecret: client_secret = '' } = posts
    const basic = Buffer.from(`${client_id}:${client_secret}`).toString('base64')
    const { clientId } = signs
    const asClient = { claims: { iss: clientId, sub: clientId }, key: mailKeys.privateKey }
    const token = access_token
    const sent = [
      server.send({ token }),
      server.send({ token, client_id: agent.clientId }),
      server.send({ token, client_id, client_secret }),
      server.send({ token }, { headers: { authorization: `Basic ${basic}` } }),
      server.send({ token, ...server.signed(asClient) }),
      server.send({ token }, { headers: { authorization: `Bearer ${token}` } }),
    ]
    for (const each of sent) expect(await each).toMatchObject(notThatServer)
  })

  it('gets one answer for a signature, of sixteen at once', async () => {
    const form = server.signed()
    const second = await auth.secondInstance()
    const sixteen = Array.from({ length: 16 }, (_, at) =>
      server.ask(access_token, { form, at: at % 2 === 0 ? auth.server : second }),
    )
    const statuses = (await Promise.all(sixteen)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 401)).toHaveLength(15)
  })

  it('is told to try again while its keys cannot be read', async () => {
    published = null
    const away = await auth.secondInstance()
    const ask = () => server.ask(access_token, { form: server.signed(asMail), at: away })
    expect(await ask()).toMatchObject(refused('temporarily_unavailable', 503))
    // The other one has its keys in the configuration.
    expect(await server.ask(access_token, { at: away })).toMatchObject(active)
  })

  it('must name a token', async () => {
    expect(await server.send(server.signed())).toMatchObject(refused('invalid_request'))
  })
})

describe('the configuration of servers that ask', () => {
  const start = (resourceServers: object) => () =>
    createAuthLifecycle({
      authorizationServer: {
        scopes: { board: 'Read the board' },
        resources: ['/mcp', files],
        resourceServers: resourceServers as never,
      },
    }).validateEnvironment?.({ DATABASE_URL: 'postgres://127.0.0.1/x' })
  const secret = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

  it.each<[string, object, string]>([
    ['a resource that is not listed', { [mail]: filesServer }, 'which is no address in resources'],
    ['a path of this API', { '/mcp': filesServer }, 'which is no address in resources'],
    ['no key', { [files]: { jwks: { keys: [] } } }, 'has neither a jwksUri'],
    [
      'a private key',
      { [files]: { jwks: { keys: [secret.export({ format: 'jwk' })] } } },
      'neither',
    ],
    ['keys without TLS', { [files]: { jwksUri: 'http://files.example.com/jwks' } }, 'neither'],
  ])('does not start with %s', (_, servers, problem) => {
    expect(start(servers)).toThrow(problem)
  })
})

describe('without a server that asks', async () => {
  const { resourceServers: _, ...others } = authorizationServer
  const without = await startTestAuth({ options: { authorizationServer: others } })
  afterAll(without.stop)

  it('there is nowhere to ask', async () => {
    const there = testResourceServer(without, issuer)
    const nothing = await without.fetch('/nothing', { method: 'POST' })
    const { status, body } = await there.ask('x'.repeat(43))
    const { error } = await nothing.json()
    expect([status, { ...body.error, requestId: '' }]).toEqual([404, { ...error, requestId: '' }])
  })
})
