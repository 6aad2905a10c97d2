import { createHash, randomBytes } from 'node:crypto'
import type { TestAnswer, TestAuth, TestUser } from '@svc/auth/testing'

const redirect = 'http://127.0.0.1:7777/callback'

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

/** What a user chooses on the consent page, and what the agent asks for. */
interface Asked {
  readonly owner?: string
  readonly scope?: string
}

/** Agents, from registering to their tokens. */
export function testAgents(auth: TestAuth) {
  async function register(client_name = 'Clerk bot') {
    const { body } = await auth.call('registerOAuth2Client', {
      redirect_uris: [redirect],
      token_endpoint_auth_method: 'none',
      client_name,
    })
    return body.client_id as string
  }

  const verifier = randomBytes(32).toString('base64url')

  const fields = (client: string, asked: Asked = {}) => ({
    response_type: 'code',
    client_id: client,
    redirect_uri: redirect,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'a state',
    ...asked,
  })

  /** What the consent page shows. */
  const page = async ({ key }: Pick<TestUser, 'key'>, client: string) =>
    auth.call('getOAuth2Authorize', undefined, key, { query: fields(client) })

  const consent = ({ key }: Pick<TestUser, 'key'>, client: string, asked: Asked = {}) => {
    const body = { ...fields(client, asked), decision: 'allow' }
    return auth.call('createOAuth2AuthorizationCode', body, key)
  }

  async function send(form: Record<string, string>) {
    const body = new URLSearchParams(form)
    const answer = await fetch(`${auth.url}/_auth/oauth2/token`, { method: 'POST', body })
    return { status: answer.status, body: (await answer.json()) as Tokens }
  }

  const redeem = (client: string, { body }: TestAnswer) =>
    send({
      grant_type: 'authorization_code',
      client_id: client,
      redirect_uri: redirect,
      code: new URL(body.redirectTo).searchParams.get('code') ?? '',
      code_verifier: verifier,
    })

  const refresh = (client: string, { refresh_token }: Tokens) =>
    send({ grant_type: 'refresh_token', client_id: client, refresh_token })

  /** An agent with tokens, of the user or of the owner that is named. */
  async function connected(user: Pick<TestUser, 'key'>, asked: Asked = {}) {
    const client = await register()
    const answer = await consent(user, client, asked)
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
    return { client, tokens: (await redeem(client, answer)).body }
  }

  const tokenOf = async (user: Pick<TestUser, 'key'>) => (await connected(user)).tokens.access_token

  async function open(path: string, { access_token }: Tokens, { method = 'GET' } = {}) {
    const headers = { authorization: `Bearer ${access_token}` }
    const answer = await fetch(`${auth.url}${path}`, { method, headers })
    const challenge = answer.headers.get('www-authenticate')
    return { status: answer.status, body: await answer.json(), challenge }
  }

  return { register, page, consent, redeem, refresh, connected, tokenOf, open }
}
