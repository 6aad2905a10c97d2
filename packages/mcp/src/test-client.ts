import { createHash, randomBytes } from 'node:crypto'
import {
  Client,
  type ClientCapabilities,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import type { TestAuth, TestUser } from '@svc/auth/testing'

const redirect = 'http://127.0.0.1:7777/callback'

/** The access token of an agent that a user has allowed this. */
export const agentToken = async (auth: TestAuth, user: TestUser, scope: string) =>
  (await agentTokens(auth, user, scope)).access_token

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly client_id: string
}

/** The same, with what renews it. */
export async function agentTokens(
  auth: TestAuth,
  { key }: TestUser,
  scope: string,
): Promise<Tokens> {
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
  return askForTokens(auth, {
    grant_type: 'authorization_code',
    client_id: client.client_id,
    redirect_uri: redirect,
    code_verifier: verifier,
    code,
  })
}

/** A token of the same grant with these scopes alone. */
export const narrowed = async (
  auth: TestAuth,
  { client_id, refresh_token }: Tokens,
  scope: string,
) =>
  (await askForTokens(auth, { grant_type: 'refresh_token', client_id, refresh_token, scope }))
    .access_token

async function askForTokens(auth: TestAuth, form: { client_id: string; [field: string]: string }) {
  const response = await auth.fetch('/_auth/oauth2/token', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form),
  })
  const tokens = await response.json()
  if (!response.ok) throw new Error(JSON.stringify(tokens))
  return { ...tokens, client_id: form.client_id } as Tokens
}

/** A result of any form: what it has is what the test says. */
export const anyResult: AnySchema = {
  '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) },
}

interface AnySchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => { value: unknown }
    // oxlint-disable-next-line typescript/no-explicit-any -- tests read what they have just asked for
    readonly types?: { readonly input: unknown; readonly output: any }
  }
}

export const extension = 'io.modelcontextprotocol/tasks'

/** What a client of 2026-07-28 sends with a request. The client of the package refuses a task in place of an answer. */
export async function ask(
  auth: TestAuth,
  token: string,
  { method, params, extensions = { [extension]: {} } }: Asking,
) {
  const { name, taskId } = params
  const answer = await auth.fetch('/mcp', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      'mcp-name': name ?? taskId ?? '',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'A test', version: '1.0.0' },
          'io.modelcontextprotocol/clientCapabilities': { extensions },
        },
      },
    }),
  })
  const text = (await answer.text()).replace(/^event: message\ndata: /, '')
  return { status: answer.status, headers: answer.headers, body: JSON.parse(text) }
}

interface Asking {
  readonly method: string
  readonly params: {
    readonly name?: string
    readonly taskId?: string
    readonly [more: string]: unknown
  }
  readonly extensions?: object
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
