import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  Client,
  CrossAppAccessProvider,
  discoverAndRequestJwtAuthGrant,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { allow, getUserId } from '@svc/auth/server'
import { createTestKey, startTestAuth, type TestAuthOptions } from '@svc/auth/testing'
import { defineRouter, route } from '@svc/core/contract'
import { afterAll, expect, it } from 'vitest'
import { mcp } from './mcp.ts'
import { revisions } from './test-client.ts'

// MCP's enterprise-managed authorization: the protocol's own client, from the sign-in at a company's identity provider to
// a tool call, and no page in between.

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const publicJwk = { ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'ES256', use: 'sig' }
const seconds = () => Math.floor(auth.clock.now().getTime() / 1000)

function signed(claims: object, typ: string) {
  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const times = { iat: seconds(), exp: seconds() + 300 }
  const own = { iss: idp, jti: randomUUID(), ...times, ...claims }
  const input = [{ alg: 'ES256', kid: 'one', typ }, own].map(encoded).join('.')
  const signature = sign('sha256', Buffer.from(input), {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
  })
  return `${input}.${signature.toString('base64url')}`
}

async function formOf(request: IncomingMessage) {
  let text = ''
  for await (const chunk of request) text += chunk
  return new URLSearchParams(text)
}

/** The identity provider: it exchanges the id token of a client for its assertion. */
const host = createServer((request, response) => {
  void answerTo(request, response)
})

async function answerTo(request: IncomingMessage, response: ServerResponse) {
  const answer = (body: object) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  if (request.url === '/jwks') return answer({ keys: [publicJwk] })
  if (request.url === '/token') {
    const form = await formOf(request)
    const [, payload = ''] = (form.get('subject_token') ?? '').split('.')
    const { sub } = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const [aud, resource, scope] = ['audience', 'resource', 'scope'].map((name) => form.get(name))
    const claims = { sub, aud, resource, scope, client_id: clients[0] }
    return answer({
      issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
      access_token: signed(claims, 'oauth-id-jag+jwt'),
      token_type: 'N_A',
      expires_in: 300,
    })
  }
  return answer({
    issuer: idp,
    authorization_endpoint: `${idp}/authorize`,
    token_endpoint: `${idp}/token`,
    jwks_uri: `${idp}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
  })
}

await once(host.listen(0, '127.0.0.1'), 'listening')
const idp = `http://127.0.0.1:${(host.address() as AddressInfo).port}`

const readNotes = allow.may('note:read')(
  route
    .get('/notes')
    .tool({ title: 'Read the notes', describe: 'Lists the notes.' })
    .handler((c) => ({ by: getUserId(c) })),
)

const issuer = 'http://localhost:3790'
/** Filled once the client has registered. */
const clients = ['none'.padEnd(43, '-')]
const options = {
  permissions: [{ name: 'note:read', displayName: 'Read notes', category: 'note' }],
  rolePermissions: { user: ['note:read'] },
  authorizationServer: {
    scopes: { 'note:read': 'Read notes', other: 'Something else' },
    resources: ['/mcp'],
    registration: 'open',
    identityProviders: {
      [idp]: {
        keys: { jwksUri: `${idp}/jwks` },
        accounts: 'google',
        clients,
        scopes: ['note:read'],
      },
    },
  },
} satisfies TestAuthOptions['options']

const endpoint = mcp({ path: '/mcp', name: 'notes', version: '1.0.0', tools: ['readNotes'] })
const auth = await startTestAuth({
  env: { SVC_AUTH_GOOGLE_ISSUER: idp, SVC_AUTH_GOOGLE_NATIVE_CLIENT_IDS: 'app' },
  options,
  router: defineRouter({ readNotes, mcp: endpoint }),
})
afterAll(async () => {
  host.close()
  await auth.stop()
})

/** Signs in here with the identity provider. */
async function employee(sub: string) {
  const { registration } = await createTestKey()
  const nonce = registration.fingerprint
  const idToken = signed({ aud: 'app', sub, nonce }, 'JWT')
  const body = { nonce, ...registration, idToken }
  const params = { provider: 'google' }
  const answer = await auth.call('oauthNative', body, undefined, { params })
  expect(answer.status).toBe(200)
  return answer.body.userId as string
}

const { body: registered } = await auth.call('registerOAuth2Client', {
  redirect_uris: ['https://assistant.example.com/callback'],
  token_endpoint_auth_method: 'client_secret_basic',
})
clients[0] = registered.client_id
// It has read the configuration with the client in it.
const server = await auth.secondInstance()

it.each(Object.keys(revisions) as (keyof typeof revisions)[])(
  'a client of the protocol gets access from a company’s identity provider, and calls a tool: %s',
  async (revision) => {
    const sub = createHash('sha256').update(revision).digest('hex')
    const userId = await employee(sub)
    const authProvider = new CrossAppAccessProvider({
      clientId: registered.client_id,
      clientSecret: registered.client_secret,
      expectedIssuer: issuer,
      async assertion({ authorizationServerUrl, resourceUrl, scope }) {
        const { jwtAuthGrant } = await discoverAndRequestJwtAuthGrant({
          idpUrl: idp,
          audience: authorizationServerUrl,
          resource: resourceUrl,
          idToken: signed({ aud: 'assistant', sub }, 'JWT'),
          clientId: 'assistant',
          ...(scope !== undefined && { scope }),
        })
        return jwtAuthGrant
      },
    })
    const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
      authProvider,
      // The issuer is the web app, which forwards to the API.
      fetch: (url, init) => fetch(`${url}`.replace(`${issuer}/`, `${server.url}/`), init),
    })
    const about = { name: 'A test', version: '1.0.0' }
    const client = new Client(about, { versionNegotiation: { mode: revisions[revision] } })
    await client.connect(transport)
    const { structuredContent } = await client.callTool({ name: 'readNotes', arguments: {} })
    expect(structuredContent).toEqual({ by: userId })
    // It asked for all that the resource offers, and the company allows less.
    expect(authProvider.tokens()).toMatchObject({ scope: 'note:read' })
    expect(authProvider.tokens()).not.toHaveProperty('refresh_token')
    await client.close()
  },
)
