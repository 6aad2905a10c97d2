import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestAuth, type TestAuth } from '../../testing.ts'
import { issuer } from '../testing/test-agent.ts'

const algorithms = ['ES256', 'RS256', 'PS256', 'EdDSA'] as const
type Algorithm = (typeof algorithms)[number]

const pairOf = (algorithm: Algorithm) => generateKeyPair(algorithm, { extractable: true })
const pairs = {
  ES256: await pairOf('ES256'),
  RS256: await pairOf('RS256'),
  PS256: await pairOf('PS256'),
  EdDSA: await pairOf('EdDSA'),
}
const other = await pairOf('ES256')
const jwk = async (algorithm: Algorithm, { publicKey } = pairs[algorithm]) => ({
  ...(await exportJWK(publicKey)),
  kid: algorithm,
})
const published = await Promise.all(algorithms.map((algorithm) => jwk(algorithm)))

/** What the client's host says at each path, and what it was asked for. */
let pages: Record<string, unknown> = {}
let asked: string[] = []
const serve = async () => {
  const host = createServer(({ url = '' }, response) => {
    asked.push(url)
    const page = pages[url]
    response.writeHead(page === undefined ? 503 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(page))
  })
  await once(host.listen(0, '127.0.0.1'), 'listening')
  return { host, at: `127.0.0.1:${(host.address() as AddressInfo).port}` }
}
const named = await serve()
const inside = await serve()
const origin = `http://${named.at}`

let auth: TestAuth
let second: TestAuth['server']
beforeAll(async () => {
  const clientDocuments = { hosts: [named.at] }
  auth = await startTestAuth({
    options: { authorizationServer: { scopes: { notes: 'Your notes' }, clientDocuments } },
  })
  second = await auth.secondInstance()
})
afterAll(async () => {
  for (const { host } of [named, inside]) host.close()
  await auth.stop()
})

let count = 0
beforeEach(() => {
  pages = { '/jwks': { keys: published } }
  asked = []
  second.clock.set(auth.clock.now())
})

/** A client that signs with the keys at its host, unless it says otherwise. */
function clientWith(members: object = { jwks_uri: `${origin}/jwks` }) {
  const path = `/${(count += 1)}.json`
  pages[path] = {
    client_id: `${origin}${path}`,
    redirect_uris: ['https://agent.example.com/callback'],
    token_endpoint_auth_method: 'private_key_jwt',
    ...members,
  }
  return `${origin}${path}`
}

interface Signing {
  claims?: Record<string, unknown>
  header?: { alg?: string; kid?: string }
  key?: CryptoKey | Uint8Array
}

const inSeconds = (seconds: number) => Math.floor(auth.clock.now().getTime() / 1000) + seconds

function assertionOf(clientId: string, { claims, header, key }: Signing = {}) {
  const { alg = 'ES256' } = header ?? {}
  const own = pairs[alg as Algorithm]?.privateKey
  return new SignJWT({
    iss: clientId,
    sub: clientId,
    aud: issuer,
    jti: crypto.randomUUID(),
    iat: inSeconds(0),
    exp: inSeconds(60),
    ...claims,
  })
    .setProtectedHeader({ alg, kid: alg, ...header })
    .sign(key ?? own)
}

async function show(client_assertion: string, form: object = {}, at = auth.server) {
  const body = new URLSearchParams({
    token: 'unknown',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion,
    ...form,
  })
  const answer = await fetch(`${at.url}/_auth/oauth2/revoke`, { method: 'POST', body })
  return { status: answer.status, body: await answer.json() }
}

const accepted = { status: 200 }
const refused = { status: 401, body: { error: 'invalid_client' } }

describe('an assertion that a client has signed (RFC 7523)', () => {
  it.each(algorithms)('shows who it is with %s, and without a client_id beside it', async (alg) => {
    const clientId = clientWith()
    expect(await show(await assertionOf(clientId, { header: { alg } }))).toMatchObject(accepted)
    const again = await assertionOf(clientId, { header: { alg } })
    expect(await show(again, { client_id: clientId })).toMatchObject(accepted)
  })

  it('holds with a key of the document itself', async () => {
    const clientId = clientWith({ jwks: { keys: [await jwk('EdDSA')] } })
    expect(await show(await assertionOf(clientId, { header: { alg: 'EdDSA' } }))).toMatchObject(
      accepted,
    )
    expect(await show(await assertionOf(clientId))).toMatchObject(refused)
    expect(asked).toHaveLength(1)
  })

  it('is for the issuer or its token endpoint, and for nothing beside it', async () => {
    const clientId = clientWith()
    const endpoint = `${issuer}/_auth/oauth2/token`
    for (const aud of [issuer, endpoint, [issuer], [issuer, endpoint]]) {
      expect(await show(await assertionOf(clientId, { claims: { aud } }))).toMatchObject(accepted)
    }
    const elsewhere = 'https://other.example.com'
    for (const aud of [elsewhere, `${issuer}/`, '', [], [issuer, elsewhere], clientId]) {
      expect(await show(await assertionOf(clientId, { claims: { aud } }))).toMatchObject(refused)
    }
  })

  it('counts once, over all instances', async () => {
    const clientId = clientWith()
    const assertion = await assertionOf(clientId)
    const sixteen = Array.from({ length: 16 }, (_, at) =>
      show(assertion, {}, at % 2 === 0 ? auth.server : second),
    )
    const statuses = (await Promise.all(sixteen)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 401)).toHaveLength(15)
    // Another client may have the same id for an assertion of its own.
    const claims = { jti: 'the same' }
    for (const each of [clientId, clientWith()]) {
      expect(await show(await assertionOf(each, { claims }))).toMatchObject(accepted)
      expect(await show(await assertionOf(each, { claims }))).toMatchObject(refused)
    }
  })

  it('that does not hold spends no id', async () => {
    const clientId = clientWith()
    const claims = { jti: crypto.randomUUID() }
    const forged = await assertionOf(clientId, { claims, key: other.privateKey })
    expect(await show(forged)).toMatchObject(refused)
    expect(await show(await assertionOf(clientId, { claims }))).toMatchObject(accepted)
  })

  it.each<[string, () => Signing]>([
    ['it has expired', () => ({ claims: { iat: inSeconds(-120), exp: inSeconds(-31) } })],
    ['it has no end', () => ({ claims: { exp: undefined } })],
    ['it lives too long', () => ({ claims: { exp: inSeconds(301) } })],
    [
      'it lives too long, and has no beginning',
      () => ({ claims: { iat: undefined, exp: inSeconds(331) } }),
    ],
    ['it is from later', () => ({ claims: { iat: inSeconds(31) } })],
    ['it is not good yet', () => ({ claims: { nbf: inSeconds(31) } })],
    ['its beginning is a text', () => ({ claims: { iat: 'now' } })],
    ['it has no id', () => ({ claims: { jti: undefined } })],
    ['its id is empty', () => ({ claims: { jti: '' } })],
    ['its id is endless', () => ({ claims: { jti: 'x'.repeat(257) } })],
    ['it has no audience', () => ({ claims: { aud: undefined } })],
    ['another has issued it', () => ({ claims: { iss: `${origin}/other.json` } })],
    ['it is about another', () => ({ claims: { sub: `${origin}/other.json` } })],
    ['another key has signed it', () => ({ key: other.privateKey })],
    ['it names another key', () => ({ header: { kid: 'RS256' } })],
    ['it names no key of the client', () => ({ header: { kid: 'unknown' } })],
    ['its key is meant for another algorithm', () => ({ header: { alg: 'PS256', kid: 'ES256' } })],
  ])('is refused where %s', async (_, forge) => {
    expect(await show(await assertionOf(clientWith(), forge()))).toMatchObject(refused)
  })

  it('is refused with the public key for a secret, and without a signature', async () => {
    const clientId = clientWith()
    const spki = new TextEncoder().encode(await exportSPKI(pairs.RS256.publicKey))
    for (const kid of ['RS256', 'ES256']) {
      const header = { alg: 'HS256', kid }
      expect(await show(await assertionOf(clientId, { header, key: spki }))).toMatchObject(refused)
    }
    const [, claims] = (await assertionOf(clientId)).split('.')
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    expect(await show(`${none}.${claims}.`)).toMatchObject(refused)
    expect(await show('not.a.token')).toMatchObject(refused)
    expect(await show('')).toMatchObject(refused)
  })

  it('is by the one algorithm that the client has promised', async () => {
    const promise = { token_endpoint_auth_signing_alg: 'RS256' }
    const clientId = clientWith({ jwks_uri: `${origin}/jwks`, ...promise })
    const signed = (alg: string) => assertionOf(clientId, { header: { alg } })
    expect(await show(await signed('RS256'))).toMatchObject(accepted)
    expect(await show(await signed('ES256'))).toMatchObject(refused)
  })

  it('is of the client that is named beside it, and comes with no secret', async () => {
    const clientId = clientWith()
    for (const form of [
      { client_id: clientWith() },
      { client_secret: 'x' },
      { client_secret: '' },
      { client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer' },
    ]) {
      expect(await show(await assertionOf(clientId), form)).toMatchObject(refused)
    }
  })
})

describe('a client with keys', () => {
  const asPublic = async (client_id: string) => {
    const body = new URLSearchParams({ token: 'unknown', client_id })
    return fetch(`${auth.url}/_auth/oauth2/revoke`, { method: 'POST', body })
  }

  it('must sign, unless its document says that it can do without', async () => {
    const clientId = clientWith()
    expect((await asPublic(clientId)).status).toBe(401)
    expect(await show(await assertionOf(clientId))).toMatchObject(accepted)
    expect((await asPublic(clientId)).status).toBe(401)

    const either = clientWith({
      token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
      jwks_uri: `${origin}/jwks`,
    })
    expect((await asPublic(either)).status).toBe(200)
    expect(await show(await assertionOf(either))).toMatchObject(accepted)
    const forged = await assertionOf(either, { key: other.privateKey })
    expect(await show(forged, { client_id: either })).toMatchObject(refused)
  })

  it('that publishes its private key is none: an attacker could sign', async () => {
    const { privateKey } = pairs.ES256
    const key = { ...(await exportJWK(privateKey)), kid: 'ES256' }
    for (const clientId of [
      clientWith({ jwks: { keys: [key] } }),
      clientWith({ jwks: { keys: [key, await jwk('RS256')] } }),
    ]) {
      expect(await show(await assertionOf(clientId))).toMatchObject(refused)
    }
  })

  it('that is public signs for nothing', async () => {
    const members = { token_endpoint_auth_method: 'none', jwks_uri: `${origin}/jwks` }
    expect(await show(await assertionOf(clientWith(members)))).toMatchObject(refused)
  })

  it('has them asked for once, and for an unknown one at most every thirty seconds', async () => {
    const jwks_uri = `${origin}/jwks?${count}`
    pages[`/jwks?${count}`] = { keys: published }
    const clientId = clientWith({ jwks_uri })
    const timesAsked = () => asked.filter((path) => path.startsWith('/jwks')).length
    const unknown = () => assertionOf(clientId, { header: { kid: 'new' } })
    expect(await show(await assertionOf(clientId))).toMatchObject(accepted)
    expect(await show(await unknown())).toMatchObject(refused)
    expect(timesAsked()).toBe(1)

    auth.clock.advance('30s')
    pages[new URL(jwks_uri).pathname + new URL(jwks_uri).search] = {
      keys: [{ ...(await jwk('ES256', other)), kid: 'new' }],
    }
    const rotated = { header: { kid: 'new' }, key: other.privateKey }
    expect(await show(await assertionOf(clientId, rotated))).toMatchObject(accepted)
    // What was taken back is good for nothing.
    expect(await show(await assertionOf(clientId))).toMatchObject(refused)
    expect(timesAsked()).toBe(2)
  })

  it('is told to come again while they cannot be read, and they are not used for longer', async () => {
    const away = { status: 503, body: { error: 'temporarily_unavailable' } }
    const jwks_uri = `${origin}/jwks?away`
    const clientId = clientWith({ jwks_uri })
    expect(await show(await assertionOf(clientId))).toMatchObject(away)
    auth.clock.advance('30s')
    pages['/jwks?away'] = { keys: published }
    expect(await show(await assertionOf(clientId))).toMatchObject(accepted)
    delete pages['/jwks?away']
    auth.clock.advance('9m')
    expect(await show(await assertionOf(clientId))).toMatchObject(accepted)
    auth.clock.advance('2m')
    expect(await show(await assertionOf(clientId))).toMatchObject(away)
  })

  it.each([
    ['a port of this machine', `http://${inside.at}/jwks`],
    ['a name of this machine', `http://localhost:${inside.at.split(':')[1]}/jwks`],
    ['a private network', 'https://10.0.0.1/jwks'],
    ['where a cloud tells credentials', 'https://169.254.169.254/jwks'],
    ['plain http', 'http://agents.example.com/jwks'],
    ['a file', 'file:///etc/passwd'],
    ['nowhere', 'x'],
  ])('has none at %s: nothing is asked there', async (_, jwks_uri) => {
    pages['/jwks'] = { keys: published }
    const answer = await show(await assertionOf(clientWith({ jwks_uri })))
    expect(answer).toMatchObject({ status: 503, body: { error: 'temporarily_unavailable' } })
    expect(asked).not.toContain('/jwks')
  })

  it('has a set of 64 KiB at most, of which the first 100 are read', async () => {
    const sets: [string, unknown[]][] = [
      ['/jwks?long', [...published, { padding: 'x'.repeat(64 * 1024) }]],
      ['/jwks?many', [...Array.from({ length: 100 }, () => ({})), ...published]],
      ['/jwks?fits', [...Array.from({ length: 96 }, () => ({})), ...published]],
    ]
    const statuses = []
    for (const [path, keys] of sets) {
      pages[path] = { keys }
      const clientId = clientWith({ jwks_uri: `${origin}${path}` })
      statuses.push((await show(await assertionOf(clientId))).status)
    }
    expect(statuses).toEqual([503, 401, 200])
  })

  it('is known to an instance that has not read its document', async () => {
    const clientId = clientWith()
    expect(await show(await assertionOf(clientId))).toMatchObject(accepted)
    expect(await show(await assertionOf(clientId), {}, second)).toMatchObject(accepted)
    expect(await show(await assertionOf(clientId), {}, second)).toMatchObject(accepted)
    const path = new URL(clientId).pathname
    expect(asked.filter((each) => each === path)).toHaveLength(2)
  })
})
