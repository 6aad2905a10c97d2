import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { TestAuth, TestUser } from '@svc/auth/testing'

/** Where the authorization server says it is: at the address of the web app, which no test runs. */
const issuer = 'http://localhost:3790'
const redirectUrl = 'http://127.0.0.1:7777/callback'

/** An agent as the SDK has it, whose user agrees in a browser to what it asks for. */
export function testAgent(starter: TestAuth, user: TestUser, scope?: string) {
  /** Takes what is for the web app to the API, as the rewrites of its host do. */
  const viaWebHost = (url: string | URL, init?: RequestInit) =>
    fetch(String(url).replace(`${issuer}/`, `${starter.url}/`), init)
  const kept: Kept = {}
  const authProvider = keeping(kept)
  const newTransport = () =>
    new StreamableHTTPClientTransport(new URL(`${starter.url}/mcp`), {
      authProvider,
      fetch: viaWebHost,
    })

  /** Follows the browser to the consent page, agrees there, and comes back with the answer. */
  async function consent() {
    const shown = await viaWebHost(kept.authorization ?? '', { redirect: 'manual' })
    const fields = Object.fromEntries(new URL(shown.headers.get('location') ?? '').searchParams)
    const given = { ...fields, decision: 'allow' }
    const { body } = await starter.call('createOAuth2AuthorizationCode', given, user.key)
    return new URL(body.redirectTo).searchParams
  }

  /** From the first 401 to a client with a token. */
  async function connect() {
    const refused = newTransport()
    const first = await newClient()
      .connect(refused)
      .catch((error: unknown) => error)
    // Left to itself, the SDK asks for every scope that the resource names.
    if (scope) kept.authorization?.searchParams.set('scope', scope)
    const answer = await consent()
    await refused.finishAuth(answer.get('code') ?? '')
    const client = newClient()
    await client.connect(newTransport())
    return { client, first, answer }
  }

  return { kept, connect }
}

const newClient = () => new Client({ name: 'Agent of the tests', version: '1.0.0' })

interface Kept {
  client?: Parameters<NonNullable<OAuthClientProvider['saveClientInformation']>>[0]
  tokens?: Parameters<OAuthClientProvider['saveTokens']>[0]
  verifier?: string
  authorization?: URL
}

function keeping(kept: Kept): OAuthClientProvider {
  return {
    redirectUrl,
    clientMetadata: {
      client_name: 'Agent of the tests',
      redirect_uris: [redirectUrl],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    invalidateCredentials: () => void delete kept.tokens,
    codeVerifier: () => kept.verifier ?? '',
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    redirectToAuthorization: (authorization) => void (kept.authorization = authorization),
  }
}
