import { createHash, randomBytes } from 'node:crypto'
import type { TestServer } from '@svc/core/testing'
import type { startTestAuth, TestAnswer, TestAuth, TestUser } from '../../testing.ts'
import { files, filesServer } from './test-resource-server.ts'

export const redirectUri = 'http://127.0.0.1:7777/callback'

/** An authorization server that a test asks. Its issuer is the web app's address, which no test has. */
export const issuer = 'http://localhost:3790'

export const agentOptions = {
  options: {
    authorizationServer: {
      scopes: {
        'user:read': 'See who else is here',
        'audit:read': 'Read what has happened',
        board: 'Read the board',
      },
      defaultScopes: ['board'],
      resources: ['/mcp', '/other', files],
      resourceServers: { [files]: filesServer },
      registration: 'open',
      deviceGrant: true,
    },
  },
} satisfies Parameters<typeof startTestAuth>[0]

/** A refusal in the words of RFC 6749. */
export const refused = (error: string, status = 400) => ({ status, body: { error } })

interface Pkce {
  verifier: string
  challenge: string
}

export function pkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

export interface Agent {
  clientId: string
  clientSecret?: string
}

type Fields = Record<string, string | undefined>

/** An agent's side of the protocol, one request at a time, and what its user does on the consent page. */
export function testAgents(auth: TestAuth) {
  const register = async (metadata: object = {}): Promise<Agent> => {
    const given = { redirect_uris: [redirectUri], token_endpoint_auth_method: 'none', ...metadata }
    const { status, body } = await auth.call('registerOAuth2Client', given)
    if (status !== 201) throw new Error(JSON.stringify(body))
    return { clientId: body.client_id, clientSecret: body.client_secret }
  }

  const asked = (agent: Agent, challenge: string, fields: Fields = {}) => ({
    response_type: 'code',
    client_id: agent.clientId,
    redirect_uri: redirectUri,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'a state',
    ...fields,
  })

  const decide = (user: TestUser, fields: object, decision = 'allow') =>
    auth.call('createOAuth2AuthorizationCode', { ...fields, decision }, user.key)

  /** A code, as the browser brings it. */
  async function allow(user: TestUser, agent: Agent, fields: Fields = {}) {
    const { verifier, challenge } = pkce()
    const { status, body } = await decide(user, asked(agent, challenge, fields))
    if (status !== 200) throw new Error(JSON.stringify(body))
    const answer = new URL(body.redirectTo).searchParams
    return { code: answer.get('code') ?? '', verifier, answer }
  }

  async function send(
    path: 'token' | 'revoke',
    form: Fields,
    { at = auth.server, headers = {} }: { at?: TestServer; headers?: Record<string, string> } = {},
  ): Promise<TestAnswer> {
    const given = Object.entries(form).filter(([, value]) => value !== undefined)
    const body = new URLSearchParams(given as [string, string][])
    const answer = await fetch(`${at.url}/_auth/oauth2/${path}`, { method: 'POST', body, headers })
    return { status: answer.status, headers: answer.headers, body: await answer.json() }
  }

  const redeem = (
    agent: Agent,
    { code, verifier }: { code: string; verifier: string },
    options: Parameters<typeof send>[2] & { form?: Fields } = {},
  ) =>
    send(
      'token',
      {
        grant_type: 'authorization_code',
        client_id: agent.clientId,
        client_secret: agent.clientSecret,
        redirect_uri: redirectUri,
        code,
        code_verifier: verifier,
        ...options.form,
      },
      options,
    )

  const refresh = (
    agent: Agent,
    refresh_token: string,
    options: Parameters<typeof send>[2] & { form?: Fields } = {},
  ) =>
    send(
      'token',
      {
        grant_type: 'refresh_token',
        client_id: agent.clientId,
        client_secret: agent.clientSecret,
        refresh_token,
        ...options.form,
      },
      options,
    )

  /** The tokens that an agent has got from a user. */
  async function tokens(user: TestUser, agent: Agent, fields: Fields = {}) {
    const { status, body } = await redeem(agent, await allow(user, agent, fields))
    if (status !== 200) throw new Error(JSON.stringify(body))
    return body as { access_token: string; refresh_token: string; scope: string }
  }

  /** What the agents' route of the test says to a token. */
  const open = async (token: string, { at = auth.server, path = '/mcp', headers = {} } = {}) => {
    const answer = await fetch(`${at.url}${path}`, {
      headers: { authorization: `Bearer ${token}`, ...headers },
    })
    return { status: answer.status, body: await answer.json(), headers: answer.headers }
  }

  const isOpen = async (token: string) => (await open(token)).status === 200

  return { register, asked, decide, allow, send, redeem, refresh, tokens, open, isOpen }
}
