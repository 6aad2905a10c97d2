import { createHash, randomBytes } from 'node:crypto'
import {
  Client,
  type ClientCapabilities,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import type { TestAuth, TestUser } from '@svc/auth/testing'

const redirect = 'http://127.0.0.1:7777/callback'

/** The access token of an agent that a user has allowed this. */
export async function agentToken(auth: TestAuth, { key }: TestUser, scope: string) {
  const metadata = { redirect_uris: [redirect], token_endpoint_auth_method: 'none' }
  const { body: client } = await auth.call('registerOAuth2Client', metadata)
  const verifier = randomBytes(32).toString('base64url')
  const asked = {
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: redirect,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'a state',
    scope,
  }
  const given = { ...asked, decision: 'allow' }
  const { body: allowed } = await auth.call('createOAuth2AuthorizationCode', given, key)
  if (!allowed.redirectTo) throw new Error(JSON.stringify(allowed))
  const code = new URL(allowed.redirectTo).searchParams.get('code') ?? ''
  const response = await auth.fetch('/_auth/oauth2/token', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: client.client_id,
      redirect_uri: redirect,
      code_verifier: verifier,
      code,
    }),
  })
  const tokens = await response.json()
  if (!response.ok) throw new Error(JSON.stringify(tokens))
  return tokens.access_token as string
}

/** The revisions that are on the one endpoint. */
export const revisions = {
  '2025-11-25': 'legacy',
  '2026-07-28': { pin: '2026-07-28' },
} as const

/** A client of the protocol that others wrote. */
export async function connect(
  auth: TestAuth,
  token: string,
  revision: keyof typeof revisions,
  capabilities: ClientCapabilities = {},
): Promise<Client> {
  const versionNegotiation = { mode: revisions[revision] }
  const about = { name: 'A test', version: '1.0.0' }
  const client = new Client(about, { versionNegotiation, capabilities })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${auth.url}/mcp`), { requestInit }),
  )
  return client
}
