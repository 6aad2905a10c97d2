import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { misbehaviours } from '../../providers/testing/test-misbehaviour.ts'
import { startTestAuth, type TestAuth, type TestUser } from '../../testing.ts'
import type { AuthorizationServer } from '../authorization-server.ts'
import { documentAddress } from './client-keys.ts'
import { oauth2Clients } from './schema.ts'

type Answering = (response: ServerResponse) => unknown

/** The host of the documents. It answers every request as the test says. */
let answering: Answering
const asked: string[] = []
const host = createServer((request, response) => {
  asked.push(request.url ?? '')
  answering(response)
})

let auth: TestAuth
let user: TestUser
let origin: string
beforeAll(async () => {
  await once(host.listen(0, '127.0.0.1'), 'listening')
  const named = `127.0.0.1:${(host.address() as AddressInfo).port}`
  origin = `http://${named}`
  const clientDocuments = { hosts: ['agents.example.com', named] }
  auth = await startTestAuth({
    env: { SVC_RATE_LIMIT: 'on' },
    options: { authorizationServer: { scopes: { notes: 'Your notes' }, clientDocuments } },
  })
  user = await auth.signedInUser()
})
afterAll(async () => {
  host.closeAllConnections()
  host.close()
  await auth.stop()
})
beforeEach(() => {
  asked.length = 0
})

const redirect = 'https://agent.example.com/callback'
let count = 0
const newId = () => `${origin}/agents/${(count += 1)}.json`

const documentOf = (client_id: string, members: Record<string, unknown> = {}) => ({
  client_id,
  client_name: 'Agent',
  redirect_uris: [redirect],
  ...members,
})

const keysUri = 'https://agents.example.com/keys'
const signing = (id: string, members: object) =>
  documentOf(id, { token_endpoint_auth_method: 'private_key_jwt', ...members })

const json = { 'content-type': 'application/json' }
const says =
  (document: unknown, headers: Record<string, string> = json): Answering =>
  (response) =>
    response.writeHead(200, headers).end(JSON.stringify(document))

/** What a consent page gets to show for a client, in a minute of its own. */
function consentFor(client_id: string, redirect_uri = redirect) {
  auth.clock.advance('61s')
  return consentAtOnce(client_id, redirect_uri)
}

function consentAtOnce(client_id: string, redirect_uri = redirect) {
  const query = {
    client_id,
    redirect_uri,
    response_type: 'code',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  }
  return auth.call('getOAuth2Authorize', undefined, user.key, { query })
}

/** What a client is told that asks for itself. */
function revokeAs(client: Record<string, string>) {
  const body = new URLSearchParams({ token: 'unknown', ...client })
  return fetch(`${auth.url}/_auth/oauth2/revoke`, { method: 'POST', body })
}

const unknown = { status: 400, body: { error: 'invalid_request' } }

const rowOf = async (clientId: string) => {
  const rows = auth.auth.db.select().from(oauth2Clients)
  return (await rows.where(eq(oauth2Clients.clientId, clientId))).at(0)
}

describe('a client whose id is the address of a document', () => {
  it('is known by what the document says, and nothing else is read (A-270)', async () => {
    const id = newId()
    const others = {
      client_uri: 'https://agent.example.com/',
      logo_uri: `${origin}/logo.png`,
      tos_uri: `${origin}/terms`,
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
    }
    answering = says(documentOf(id, { client_name: 'Our\u202E agent', ...others }))
    const { status, body } = await consentFor(id)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      clientId: id,
      clientName: 'Our agent',
      clientUri: 'https://agent.example.com/',
      redirectHost: 'agent.example.com',
    })
    expect(asked).toEqual([new URL(id).pathname])
    expect(await consentFor(id, 'https://agent.example.com/other')).toMatchObject(unknown)
  })

  it.each(['application/json; charset=utf-8', 'application/cimd+json', 'Application/JSON'])(
    'may be told of as %s',
    async (type) => {
      const id = newId()
      answering = says(documentOf(id), { 'content-type': type })
      expect(await consentFor(id)).toMatchObject({ status: 200 })
    },
  )

  it('has no secret to show', async () => {
    const client_id = newId()
    answering = says(documentOf(client_id))
    expect((await revokeAs({ client_id })).status).toBe(200)
    expect((await revokeAs({ client_id, client_secret: 'x' })).status).toBe(401)
  })

  it('is one client, however many ask for it first', async () => {
    const id = newId()
    answering = says(documentOf(id))
    auth.clock.advance('61s')
    const answers = await Promise.all(Array.from({ length: 8 }, () => consentAtOnce(id)))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
  })

  it.each<[string, (id: string) => Answering]>([
    ['is about another id', () => says(documentOf('https://agents.example.com/1.json'))],
    ['is about another id of its host', (id) => says(documentOf(`${id}/`))],
    ['writes its id in another way', (id) => says(documentOf(id.replace('http:', 'HTTP:')))],
    ['has no id', (id) => says({ ...documentOf(id), client_id: undefined })],
    ['has several ids', (id) => says({ ...documentOf(id), client_id: [id] })],
    ['has no redirect URI', (id) => says(documentOf(id, { redirect_uris: [] }))],
    ['has one that runs', (id) => says(documentOf(id, { redirect_uris: ['javascript:alert(1)'] }))],
    ['has a text for a list', (id) => says(documentOf(id, { redirect_uris: redirect }))],
    ['has a secret', (id) => says(documentOf(id, { client_secret: 'x' }))],
    ['has a secret that is null', (id) => says(documentOf(id, { client_secret: null }))],
    ...['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'x'].map(
      (method): [string, (id: string) => Answering] => [
        `shows itself by ${method}`,
        (id) => says(documentOf(id, { token_endpoint_auth_method: method })),
      ],
    ),
    ['signs without a key', (id) => says(signing(id, { jwks: { keys: [] } }))],
    [
      'signs with a secret',
      (id) => says(signing(id, { jwks: { keys: [{ kty: 'oct', k: 'YQ' }] } })),
    ],
    [
      'signs by an algorithm that proves nothing',
      (id) => says(signing(id, { jwks_uri: keysUri, token_endpoint_auth_signing_alg: 'HS256' })),
    ],
    [
      'has keys in two places',
      (id) => says(signing(id, { jwks: { keys: [] }, jwks_uri: keysUri })),
    ],
    ['has another flow', (id) => says(documentOf(id, { grant_types: ['client_credentials'] }))],
    ['is a page', (id) => says(documentOf(id), { 'content-type': 'text/html' })],
    ['is text', (id) => says(documentOf(id), { 'content-type': 'text/plain; a=application/json' })],
    ['is a script', (id) => says(documentOf(id), { 'content-type': 'application/jsonp' })],
    ['is of no type', (id) => says(documentOf(id), {})],
    ['is a list', (id) => says([documentOf(id)])],
    ['is null', () => says(null)],
    ['is no JSON', () => misbehaviours['not json']],
    [
      'says its id twice',
      (id) => (response) =>
        response
          .writeHead(200, json)
          .end(`{"client_id":"x",${JSON.stringify(documentOf(id)).slice(1)}`),
    ],
    [
      'is packed',
      (id) => (response) =>
        response
          .writeHead(200, { ...json, 'content-encoding': 'gzip' })
          .end(gzipSync(JSON.stringify(documentOf(id)))),
    ],
    [
      'has 5,121 bytes',
      (id) => (response) =>
        response.writeHead(200, json).end(JSON.stringify(documentOf(id)).padEnd(5121)),
    ],
    ['has no end', () => misbehaviours.huge],
    [
      'is elsewhere',
      (id) => (response) => response.writeHead(302, { ...json, location: `${id}?moved` }).end(),
    ],
    [
      'is not there',
      (id) => (response) => response.writeHead(404, json).end(JSON.stringify(documentOf(id))),
    ],
    ['is on a host that is down', () => misbehaviours.down],
  ])('is unknown when it %s', async (_, answer) => {
    const id = newId()
    answering = answer(id)
    expect(await consentFor(id)).toMatchObject(unknown)
    expect(asked).toEqual([new URL(id).pathname])
    expect(await rowOf(id)).toBeUndefined()
  })

  it('has 5,120 bytes at most', async () => {
    const id = newId()
    answering = (response) =>
      response.writeHead(200, json).end(JSON.stringify(documentOf(id)).padEnd(5120))
    expect(await consentFor(id)).toMatchObject({ status: 200 })
  })

  it('is not spoken for by another document', async () => {
    const [id, other] = [newId(), newId()]
    answering = says(documentOf(id))
    await consentFor(id)
    answering = says(documentOf(id, { redirect_uris: ['https://evil.example/'] }))
    expect(await consentFor(other, 'https://evil.example/')).toMatchObject(unknown)
    expect(await consentFor(id, 'https://evil.example/')).toMatchObject(unknown)
    expect(await rowOf(id)).toMatchObject({ redirectUris: [redirect] })
  })
})

describe('a document that was read', () => {
  it.each<[string | undefined, number]>([
    [undefined, 60],
    ['max-age=1800', 30],
    ['public, max-age="600"', 10],
    ['max-age=0', 5],
    ['max-age=1', 5],
    ['no-store', 5],
    ['no-cache, max-age=3600', 5],
    ['max-age=604800', 24 * 60],
    ['max-age=99999999999999999999', 24 * 60],
    ['immutable', 60],
  ])('with the cache control %s counts for %i minutes', async (said, minutes) => {
    const id = newId()
    answering = says(documentOf(id), { ...json, ...(said && { 'cache-control': said }) })
    await consentFor(id)
    const endsAt = auth.clock.now().getTime() + minutes * 60_000
    expect((await rowOf(id))?.expiresAt).toEqual(new Date(endsAt))
  })

  it('is read again when its time is over, and not before', async () => {
    const id = newId()
    answering = says(documentOf(id))
    await consentFor(id)
    answering = says(documentOf(id, { client_name: 'Renamed', redirect_uris: [`${redirect}/2`] }))
    auth.clock.advance('58m')
    expect((await consentAtOnce(id)).body.clientName).toBe('Agent')
    expect(asked).toHaveLength(1)

    auth.clock.advance('2m')
    expect(await consentAtOnce(id)).toMatchObject(unknown)
    expect((await consentAtOnce(id, `${redirect}/2`)).body.clientName).toBe('Renamed')
    expect(asked).toHaveLength(2)
  })

  it('is used no longer, though its host is away or takes it back', async () => {
    const id = newId()
    answering = says(documentOf(id))
    await consentFor(id)
    auth.clock.advance('60m')
    const away = { status: 503, body: { error: 'temporarily_unavailable' } }
    for (const misbehaviour of [misbehaviours.down, misbehaviours.failing, misbehaviours.limited]) {
      answering = misbehaviour
      expect(await consentFor(id)).toMatchObject(away)
    }
    answering = (response) => response.writeHead(404).end()
    expect(await consentFor(id)).toMatchObject(unknown)
    // It comes back.
    answering = says(documentOf(id))
    expect(await consentFor(id)).toMatchObject({ status: 200 })
  })

  it('was one of ten that an address has had read in this minute', async () => {
    answering = misbehaviours.failing
    auth.clock.advance('61s')
    for (let at = 0; at < 10; at += 1) {
      expect((await revokeAs({ client_id: newId() })).status).toBe(401)
    }
    expect((await consentAtOnce(newId())).status).toBe(429)
    const limited = await revokeAs({ client_id: newId() })
    expect(limited.status).toBe(429)
    expect(await limited.json()).toMatchObject({ error: 'slow_down' })
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(asked).toHaveLength(10)
  })
})

describe('the address of a document', () => {
  const longest = 'x'.repeat(2030)
  it.each([
    'http://HOST:PORT',
    'http://HOST:PORT/',
    'http://HOST:PORT/client.json?',
    'http://HOST:PORT/client.json?x=1',
    'http://HOST:PORT/client.json#',
    'http://HOST:PORT/client.json#x',
    'http://HOST:PORT/a/../client.json',
    'http://HOST:PORT/%2e%2e/client.json',
    'http://HOST:PORT/./client.json',
    'http://HOST:PORT/a b',
    'http://HOST:PORT/\u0000',
    ' http://HOST:PORT/client.json',
    `http://HOST:PORT/${longest}`,
    'HTTP://HOST:PORT/client.json',
    'http://user@HOST:PORT/client.json',
    'http://@HOST:PORT/client.json',
    'http:/HOST:PORT/client.json',
    'http:\\\\HOST:PORT/client.json',
    'http://127.1:PORT/client.json',
    'http://2130706433:PORT/client.json',
    'http://localhost:PORT/client.json',
    'http://[::1]:PORT/client.json',
    'http://HOST/client.json',
    'https://HOST/client.json',
    'http://agents.example.com/client.json',
    'https://agents.example.com:8443/client.json',
    'https://other.example.com/client.json',
    'https://agents.example.com.example.org/client.json',
    'data:application/json,{}',
    'file:///etc/passwd',
  ])('is not %j, and nothing is asked', async (written) => {
    const [, name = '', port = ''] = /(127[\d.]+):(\d+)/.exec(origin) ?? []
    const id = written.replace('HOST', name).replace('PORT', port)
    expect(await consentAtOnce(id)).toMatchObject({ status: 400 })
    expect(asked).toEqual([])
  })

  const addressFor = (
    clientDocuments: AuthorizationServer['clientDocuments'],
    clientId = 'https://agents.example.com/client.json',
  ) => documentAddress({ clientDocuments } as AuthorizationServer, clientId)

  it('may be anywhere, on one of some hosts, or nowhere, as the application says', () => {
    const clientId = 'https://agents.example.com/client.json'
    expect(addressFor('anywhere')).toEqual({ clientId, isNamed: false })
    expect(addressFor({ hosts: ['agents.example.com'] })).toEqual({ clientId, isNamed: true })
    expect(addressFor({ hosts: ['example.com'] })).toBeNull()
    expect(addressFor({ hosts: [] })).toBeNull()
    expect(addressFor('off')).toBeNull()
  })

  it('of a stranger is at the one port of TLS', () => {
    expect(addressFor('anywhere', 'https://agents.example.com:8443/client.json')).toBeNull()
    expect(addressFor('anywhere', 'http://agents.example.com/client.json')).toBeNull()
    expect(addressFor('anywhere', 'http://127.0.0.1/client.json')).toBeNull()
  })

  it('is over TLS in production, on this machine too', () => {
    const [id, hosts] = ['http://127.0.0.1:4711/client.json', ['127.0.0.1:4711']]
    expect(addressFor({ hosts }, id)).not.toBeNull()
    vi.stubEnv('NODE_ENV', 'production')
    expect(addressFor({ hosts }, id)).toBeNull()
    vi.unstubAllEnvs()
  })
})
