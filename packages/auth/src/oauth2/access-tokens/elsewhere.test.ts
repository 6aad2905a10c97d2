import { createHmac, createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import { decodeJwt, SignJWT } from 'jose'
import * as oauth from 'oauth4webapi'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { programsOf } from '../../machine-keys/testing/guide.ts'
import { createTestKey, startTestAuth, type TestKey, type TestUser } from '../../testing.ts'
import { dpopProof } from '../client.ts'
import { type Agent, testAgents } from '../testing/test-agent.ts'
import { openidKeys, openidOptions, testRelyingParty } from '../testing/test-openid.ts'

// A server elsewhere that checks its tokens without asking: that of the guide, as it stands there, and one whose library
// others wrote.

const issuer = 'https://app.example.com'
const resource = 'https://reports.example.com/'
const other = 'https://other.example.com/'

const { authorizationServer } = openidOptions.options
const auth = await startTestAuth({
  env: { ...openidOptions.env, SVC_AUTH_OAUTH2_ISSUER: issuer },
  options: {
    authorizationServer: {
      ...authorizationServer,
      resources: ['/mcp', resource, other],
      resourceServers: {},
      jwtAccessTokens: { [resource]: {}, [other]: { algorithm: 'RS256' } },
    },
  },
})
const guide = programsOf('agent-access.md')
const { claimsOf } = await import(join(guide.folder, 'reports-tokens.ts'))

/** Takes what is for the issuer to the API, as the host of the web app does. */
const send = fetch
const viaWebHost = (url: URL | string, init?: object) =>
  send(`${url}`.replace(`${issuer}/`, `${auth.url}/`), init)
beforeEach(() => {
  vi.stubGlobal('fetch', viaWebHost)
})
afterAll(async () => {
  guide.remove()
  await auth.stop()
})

const agents = testAgents(auth)
const agent = await agents.register()
const user = await auth.signedInUser()
const [key, anotherKey] = [await createTestKey(), await createTestKey()]

const tokenAt = (address: string) => agents.tokens(user, agent, { resource: address })

// The servers elsewhere have the time of this machine, and tolerate half a minute.
auth.clock.set(new Date(Date.now() - 340_000))
const expired = (await tokenAt(resource)).access_token
auth.clock.set(new Date())
const plain = (await tokenAt(resource)).access_token
const ofOther = (await tokenAt(other)).access_token
const opaque = (await agents.tokens(user, agent)).access_token
const { id_token: idToken } = await testRelyingParty(auth).signIn(user)
const bound = await boundToken(user, agent, key)

async function boundToken(by: TestUser, client: Agent, to: TestKey) {
  const url = `${auth.url}/_auth/oauth2/token`
  const dpop = await dpopProof(to, { method: 'POST', url })
  const code = await agents.allow(by, client, { resource })
  return (await agents.redeem(client, code, { headers: { dpop } })).body.access_token as string
}

const notes = `${resource}notes`

const asked = (authorization: string, dpop?: string) =>
  new Request(notes, { method: 'POST', headers: { authorization, ...(dpop && { dpop }) } })

/** A request with a proof, of which a test changes something. */
async function proven({ by = key, token = bound, ...proof }: Partial<Proven> = {}) {
  const dpop = await dpopProof(by, { method: 'POST', url: notes, token, ...proof })
  return asked(`DPoP ${bound}`, dpop)
}

interface Proven {
  by: TestKey
  method: string
  url: string
  token: string
  nowMillis: number
}

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

/** The claims of a good token below another header and another signature. */
function forged(header: object, signature: (signed: string) => string, claims: object = {}) {
  const [, payload = ''] = plain.split('.')
  const own = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const signed = `${encoded({ typ: 'at+jwt', ...header })}.${encoded({ ...own, ...claims })}`
  return `${signed}.${signature(signed)}`
}

const [signingKey = {}] = openidKeys

/** What only an attacker who has the key could sign, or this server for another purpose. */
function misused(changes: { iss?: string; typ?: string }) {
  const { typ = 'at+jwt', ...claims } = changes
  return new SignJWT({ ...decodeJwt(plain), ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'new', typ })
    .sign(createPrivateKey({ key: { ...signingKey }, format: 'jwk' }))
}

async function forgeries() {
  const { keys } = await (await viaWebHost(`${issuer}/_auth/oauth2/jwks`)).json()
  const [published] = keys as object[]
  const [, , signature = ''] = plain.split('.')
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const secret = JSON.stringify(published)
  return {
    'no signature': forged({ alg: 'none' }, () => ''),
    'a signature by a public key as a secret': forged({ alg: 'HS256', kid: 'new' }, (text) =>
      createHmac('sha256', secret).update(text).digest('base64url'),
    ),
    'another scope below the signature': forged({ alg: 'ES256', kid: 'new' }, () => signature, {
      scope: 'user:read',
    }),
    'a key in its own header': forged(
      { alg: 'ES256', jwk: publicKey.export({ format: 'jwk' }) },
      () => signature,
    ),
    'the kid of another key': forged({ alg: 'ES256', kid: 'old' }, () => signature),
    'the algorithm of another key': forged({ alg: 'RS256', kid: 'new' }, () => signature),
  }
}

const discovered = async () => {
  const options = { algorithm: 'oauth2' as const, [oauth.customFetch]: viaWebHost }
  const answer = await oauth.discoveryRequest(new URL(issuer), options)
  return oauth.processDiscoveryResponse(new URL(issuer), answer)
}

const servers: Record<string, (request: Request) => Promise<Record<string, unknown>>> = {
  'the server of the guide': claimsOf,
  'validateJwtAccessToken of oauth4webapi': async (request) => ({
    ...(await oauth.validateJwtAccessToken(await discovered(), request, resource, {
      [oauth.customFetch]: viaWebHost,
    })),
  }),
}

describe.each(Object.entries(servers))('%s (RFC 9068, section 4)', (name, check) => {
  const refuses = (request: Request) => expect(check(request)).rejects.toThrow()

  it('accepts a token for its resource, without a question', async () => {
    const queries = vi.spyOn(auth.infrastructure.database?.pool ?? expect.unreachable(), 'query')
    const claims = await check(asked(`Bearer ${plain}`))
    // Something else of the server may run at the same time.
    const asks = queries.mock.calls.filter(([query]) => /oauth2_/.test(JSON.stringify(query)))
    queries.mockRestore()
    expect(claims).toMatchObject({ iss: issuer, aud: resource, sub: user.userId, scope: 'board' })
    expect(asks).toEqual([])
  })

  it('accepts a token that is bound to a key with a proof of this key (RFC 9449)', async () => {
    expect(await check(await proven())).toMatchObject({ sub: user.userId, cnf: {} })
  })

  it('accepts a token that was revoked, until it expires: that is given up', async () => {
    const token = (await tokenAt(resource)).access_token
    await agents.send('revoke', { client_id: agent.clientId, token })
    expect(await check(asked(`Bearer ${token}`))).toMatchObject({ sub: user.userId })
  })

  it('refuses a token of another resource, type or form, and one that has expired', async () => {
    for (const token of [ofOther, idToken, opaque, expired, '']) {
      await refuses(asked(`Bearer ${token}`))
    }
  })

  it('refuses what this server has not signed as it is', async () => {
    for (const token of Object.values(await forgeries())) await refuses(asked(`Bearer ${token}`))
  })

  it('refuses what has another issuer or another type, however it is signed', async () => {
    expect(await check(asked(`Bearer ${await misused({})}`))).toMatchObject({ iss: issuer })
    const others = [{ iss: `${issuer}/` }, { iss: 'https://other.example.com' }]
    const types = [{ typ: 'JWT' }, { typ: 'logout+jwt' }, { typ: 'dpop+jwt' }]
    for (const changes of [...others, ...types]) {
      await refuses(asked(`Bearer ${await misused(changes)}`))
    }
  })

  it('refuses a token that is bound to a key without a proof of it, for this request', async () => {
    const wrong = [
      asked(`Bearer ${bound}`),
      asked(`DPoP ${bound}`),
      asked(`DPoP ${plain}`),
      await proven({ by: anotherKey }),
      await proven({ method: 'GET' }),
      await proven({ url: `${resource}others` }),
      await proven({ token: plain }),
      await proven({ nowMillis: Date.now() - 3_600_000 }),
    ]
    for (const request of wrong) await refuses(request)
    if (name !== 'the server of the guide') return
    const request = await proven()
    await check(request)
    await refuses(request)
  })
})
