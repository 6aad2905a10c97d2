import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { allow } from '@svc/auth/server'
import { startTestAuth, type TestAuthOptions, type TestUser } from '@svc/auth/testing'
import { defineRouter, route } from '@svc/core/contract'
import { afterAll, expect, it } from 'vitest'
import { mcp } from './mcp.ts'
import { agentToken, revisions } from './test-client.ts'

const writeNote = allow.may('note:write')(
  route
    .post('/notes')
    .tool({ title: 'Write a note', describe: 'Writes a note.' })
    .handler(() => ({ written: true })),
)

const options = {
  permissions: [
    { name: 'note:read', displayName: 'Read notes', category: 'note' },
    { name: 'note:write', displayName: 'Write notes', category: 'note' },
  ],
  rolePermissions: { user: ['note:read', 'note:write'] },
  authorizationServer: {
    scopes: { 'note:read': 'Read notes', 'note:write': 'Write notes', other: 'Something else' },
    resources: ['/mcp'],
    registration: 'open',
  },
} satisfies TestAuthOptions['options']

const endpoint = mcp({ path: '/mcp', name: 'notes', version: '1.0.0', tools: ['writeNote'] })
const auth = await startTestAuth({ options, router: defineRouter({ writeNote, mcp: endpoint }) })
afterAll(() => auth.stop())

const issuer = 'http://localhost:3790'
const redirectUrl = 'http://127.0.0.1:7777/callback'

/** What the client keeps, and the browser of its user, who agrees to all that it asks for. */
function storeOf({ key }: TestUser, access_token: string) {
  let tokens: StoredOAuthTokens = {
    access_token,
    token_type: 'bearer',
    scope: 'note:read',
    issuer,
  }
  let discovered: OAuthDiscoveryState | undefined
  let client: OAuthClientInformationMixed | undefined
  let verifier = ''
  const asked: string[] = []
  let back = new URLSearchParams()
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { redirect_uris: [redirectUrl], token_endpoint_auth_method: 'none' },
    clientInformation: () => client,
    saveClientInformation: (given) => void (client = given),
    tokens: () => tokens,
    saveTokens: (given) => void (tokens = given),
    discoveryState: () => discovered,
    saveDiscoveryState: (given) => void (discovered = given),
    codeVerifier: () => verifier,
    saveCodeVerifier: (given) => void (verifier = given),
    async redirectToAuthorization({ searchParams }) {
      asked.push(searchParams.get('scope') ?? '')
      const given = { ...Object.fromEntries(searchParams), decision: 'allow' }
      const { body } = await auth.call('createOAuth2AuthorizationCode', given, key)
      back = new URL(body.redirectTo).searchParams
    },
  }
  return { provider, asked, back: () => back }
}

it.each(Object.keys(revisions) as (keyof typeof revisions)[])(
  'a client of the protocol asks the user for the scope that it lacks, and calls the tool again: %s',
  async (revision) => {
    const user = await auth.signedInUser()
    const { provider, asked, back } = storeOf(user, await agentToken(auth, user, 'note:read'))
    const transport = new StreamableHTTPClientTransport(new URL(`${auth.url}/mcp`), {
      authProvider: provider,
      // The issuer is the web app, which forwards to the API.
      fetch: (url, init) => fetch(`${url}`.replace(`${issuer}/`, `${auth.url}/`), init),
    })
    const about = { name: 'A test', version: '1.0.0' }
    const client = new Client(about, { versionNegotiation: { mode: revisions[revision] } })
    await client.connect(transport)
    const call = () => client.callTool({ name: 'writeNote', arguments: {} })
    await expect(call()).rejects.toThrow(UnauthorizedError)
    expect(asked).toEqual(['note:read note:write'])
    await transport.finishAuth(back())
    expect((await call()).structuredContent).toEqual({ written: true })
    expect(asked).toHaveLength(1)
  },
)
