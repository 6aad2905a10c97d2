import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, describe, expect, it } from 'vitest'
import { startTestAuth } from '../../testing.ts'
import { agentOptions, issuer, refused, testAgents } from '../testing/test-agent.ts'
import { oauth2Clients } from './schema.ts'

const own = await generateKeyPair('ES256', { extractable: true })
const other = await generateKeyPair('ES256', { extractable: true })
const jwk = { ...(await exportJWK(own.publicKey)), kid: 'own' }
const privateJwk = { ...(await exportJWK(own.privateKey)), kid: 'own' }
const rsa = await exportJWK((await generateKeyPair('RS256')).publicKey)
const smallRsa = {
  ...(await exportJWK((await generateKeyPair('RS256')).publicKey)),
  n: 'x'.repeat(171),
}
const jwks = { keys: [jwk] }

/** Where the client publishes its keys, and how often it was asked. */
let published: object | null = jwks
let timesAsked = 0
const host = createServer((_, response) => {
  timesAsked += 1
  response.writeHead(published ? 200 : 503, { 'content-type': 'application/json' })
  response.end(JSON.stringify(published))
})
await once(host.listen(0, '127.0.0.1'), 'listening')
const { port } = host.address() as AddressInfo
const named = `127.0.0.1:${port}`
const jwks_uri = `http://${named}/jwks`

const { authorizationServer } = agentOptions.options
const auth = await startTestAuth({
  options: { authorizationServer: { ...authorizationServer, clientDocuments: { hosts: [named] } } },
})
const second = await auth.secondInstance()
const agents = testAgents(auth)
const user = await auth.signedInUser()
afterAll(async () => {
  host.close()
  await auth.stop()
})

const signs = {
  redirect_uris: ['http://127.0.0.1:7777/callback'],
  token_endpoint_auth_method: 'private_key_jwt',
}
const register = (metadata: object) => auth.call('registerOAuth2Client', { ...signs, ...metadata })

const inSeconds = (seconds: number) => Math.floor(auth.clock.now().getTime() / 1000) + seconds

async function signed(clientId: string, claims: object = {}, { kid = 'own', key = own } = {}) {
  const assertion = new SignJWT({
    iss: clientId,
    sub: clientId,
    aud: issuer,
    jti: crypto.randomUUID(),
    iat: inSeconds(0),
    exp: inSeconds(60),
    ...claims,
  }).setProtectedHeader({ alg: 'ES256', kid })
  return {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await assertion.sign(key.privateKey),
  }
}

async function revoke(clientId: string, form: Record<string, string>, at = auth.server) {
  return agents.send('revoke', { token: 'unknown', client_id: clientId, ...form }, { at })
}

const accepted = { status: 200 }
const notShown = refused('invalid_client', 401)

describe('a client that registers keys (RFC 7591)', () => {
  it.each([
    ['jwks', { jwks }],
    ['jwks_uri', { jwks_uri }],
  ])('reaches a token and the next one with %s, and is told no secret', async (_, keys) => {
    const { status, body } = await register(keys)
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { token_endpoint_auth_method: 'private_key_jwt', ...keys },
    })
    expect(body).not.toHaveProperty('client_secret')
    expect(body).not.toHaveProperty('client_secret_expires_at')

    const agent = { clientId: body.client_id }
    const sign = async () => ({ form: await signed(agent.clientId) })
    const given = await agents.redeem(agent, await agents.allow(user, agent), await sign())
    expect(given).toMatchObject({ status: 200, body: { scope: 'board' } })
    const next = await agents.refresh(agent, given.body.refresh_token, await sign())
    expect(next.status).toBe(200)
    // It has promised to sign, and does so for each request.
    expect(await agents.refresh(agent, next.body.refresh_token)).toMatchObject(notShown)
  })

  it('must sign, and has nothing else to show', async () => {
    const { body } = await register({ jwks })
    const id = body.client_id as string
    expect(await revoke(id, {})).toMatchObject(notShown)
    expect(await revoke(id, { client_secret: '' })).toMatchObject(notShown)
    expect(await revoke(id, { client_secret: 'x' })).toMatchObject(notShown)
    expect(await revoke(id, { ...(await signed(id)), client_secret: 'x' })).toMatchObject(notShown)
    expect(await revoke(id, await signed(id))).toMatchObject(accepted)
  })

  it.each<[string, () => object]>([
    ['it is for another server', () => ({ aud: 'https://other.example.com' })],
    ['it has expired', () => ({ iat: inSeconds(-120), exp: inSeconds(-31) })],
    ['it lives too long', () => ({ exp: inSeconds(301) })],
    ['it has no id', () => ({ jti: undefined })],
    ['another has issued it', () => ({ iss: 'another' })],
  ])('is refused an assertion where %s', async (_, claims) => {
    const { body } = await register({ jwks })
    expect(await revoke(body.client_id, await signed(body.client_id, claims()))).toMatchObject(
      notShown,
    )
  })

  it('is refused an assertion by another key, and of another client', async () => {
    const [mine, theirs] = (await Promise.all(
      [jwks, { keys: [{ ...(await exportJWK(other.publicKey)), kid: 'own' }] }].map(
        async (keys) => (await register({ jwks: keys })).body.client_id as string,
      ),
    )) as [string, string]
    expect(await revoke(mine, await signed(mine, {}, { key: other }))).toMatchObject(notShown)
    expect(await revoke(mine, await signed(theirs, {}, { key: other }))).toMatchObject(notShown)
    expect(await revoke(theirs, await signed(theirs, {}, { key: other }))).toMatchObject(accepted)
  })

  it('shows an assertion once, over all instances', async () => {
    const { body } = await register({ jwks })
    const form = await signed(body.client_id)
    const sixteen = Array.from({ length: 16 }, (_, at) =>
      revoke(body.client_id, form, at % 2 === 0 ? auth.server : second),
    )
    const statuses = (await Promise.all(sixteen)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 401)).toHaveLength(15)
  })

  it('signs by the one algorithm that it has promised', async () => {
    const { body } = await register({
      jwks: { keys: [jwk, { ...rsa, kid: 'rsa' }] },
      token_endpoint_auth_signing_alg: 'RS256',
    })
    expect(body).toMatchObject({
      jwks: { keys: [{ kid: 'rsa', alg: 'RS256' }] },
      token_endpoint_auth_signing_alg: 'RS256',
    })
    expect(await revoke(body.client_id, await signed(body.client_id))).toMatchObject(notShown)
  })

  it('has kept what verifies, and nothing that it has sent beside it', async () => {
    const kid = 'own\u0000\ud800'
    const { status, body } = await register({ jwks: { keys: [{ ...jwk, kid, x5c: ['more'] }] } })
    expect(status).toBe(201)
    const { x, y, crv, kty } = jwk
    expect(body.jwks.keys).toEqual([{ kty, crv, x, y, kid: expect.any(String), alg: 'ES256' }])
    const where = eq(oauth2Clients.clientId, body.client_id)
    const [row] = await auth.auth.db.select().from(oauth2Clients).where(where)
    expect(row?.declaredKeys).toEqual({ jwks: body.jwks })
  })

  it('that names an address has its keys read there: again for a new one, and not where it is down', async () => {
    const address = `${jwks_uri}?rotates`
    const { body } = await register({ jwks_uri: address })
    const id = body.client_id as string
    const before = timesAsked
    expect(await revoke(id, await signed(id))).toMatchObject(accepted)
    expect(await revoke(id, await signed(id))).toMatchObject(accepted)
    expect(timesAsked).toBe(before + 1)
    auth.clock.advance('30s')
    published = { keys: [{ ...(await exportJWK(other.publicKey)), kid: 'new' }] }
    expect(await revoke(id, await signed(id, {}, { kid: 'new', key: other }))).toMatchObject(
      accepted,
    )
    expect(await revoke(id, await signed(id))).toMatchObject(notShown)
    published = null
    auth.clock.advance('11m')
    const away = refused('temporarily_unavailable', 503)
    expect(await revoke(id, await signed(id))).toMatchObject(away)
    published = jwks
  })

  it.each([
    ['a name of this machine', `http://localhost:${port}/jwks`],
    ['a private network', 'https://10.0.0.1/jwks'],
    ['where a cloud tells credentials', 'https://169.254.169.254/jwks'],
  ])('has none at %s: nothing is asked there', async (_, inside) => {
    const { status, body } = await register({ jwks_uri: inside })
    expect(status).toBe(201)
    const before = timesAsked
    const away = refused('temporarily_unavailable', 503)
    expect(await revoke(body.client_id, await signed(body.client_id))).toMatchObject(away)
    expect(timesAsked).toBe(before)
  })
})

describe('the registration of keys', () => {
  const unusable: [string, object][] = [
    ['no keys', {}],
    ['both', { jwks, jwks_uri }],
    ['an empty set', { jwks: { keys: [] } }],
    ['no set', { jwks: jwk }],
    ['null', { jwks: null }],
    ['a text', { jwks: JSON.stringify(jwks) }],
    ['a secret', { jwks: { keys: [{ kty: 'oct', k: 'c2VjcmV0', alg: 'HS256' }] } }],
    ['a private key', { jwks: { keys: [privateJwk] } }],
    ['a key off its curve', { jwks: { keys: [{ ...jwk, y: jwk.x }] } }],
    ['a short key', { jwks: { keys: [smallRsa] } }],
    ['a key to encrypt with', { jwks: { keys: [{ ...jwk, use: 'enc' }] } }],
    ['a key for another algorithm', { jwks, token_endpoint_auth_signing_alg: 'RS256' }],
    ['a signature with a secret', { jwks, token_endpoint_auth_signing_alg: 'HS256' }],
    ['no signature', { jwks_uri, token_endpoint_auth_signing_alg: 'none' }],
    ['too many keys', { jwks: { keys: Array.from({ length: 21 }, () => jwk) } }],
    ['plain http', { jwks_uri: 'http://agents.example.com/jwks' }],
    ['a file', { jwks_uri: 'file:///etc/passwd' }],
    ['an address that is none', { jwks_uri: 'x' }],
    ['an empty address', { jwks_uri: '' }],
    ['keys beside a secret', { jwks, token_endpoint_auth_method: 'client_secret_basic' }],
  ]

  it.each(unusable)('is refused with %s', async (_, metadata) => {
    const { status, body } = await register(metadata)
    expect({ status, body }).toMatchObject(refused('invalid_client_metadata'))
    expect(body.error_description).toMatch(/jwks/)
  })

  it('is that of a public client where there are none to sign with, and it can do without', async () => {
    const token_endpoint_auth_methods_supported = ['private_key_jwt', 'none']
    const { status, body } = await register({
      token_endpoint_auth_methods_supported,
      jwks: { keys: [privateJwk] },
    })
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { token_endpoint_auth_method: 'none' },
    })
    expect(body).not.toHaveProperty('jwks')
    expect(await revoke(body.client_id, {})).toMatchObject(accepted)
    expect(await revoke(body.client_id, await signed(body.client_id))).toMatchObject(notShown)
  })
})
