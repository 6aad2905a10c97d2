import { createHash, generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto'
import type { TestAnswer, TestAuth, TestUser } from '@svc/auth/testing'

const redirect = 'http://127.0.0.1:7777/callback'
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

/** Makes a proof for a request, and for its token if it has one. */
type Prove = (method: string, path: string, token?: string) => string

/** What a user chooses on the consent page, and what the agent asks for. */
interface Asked {
  readonly owner?: string
  readonly scope?: string
  readonly resource?: string
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
    code_challenge: sha256(verifier),
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

  /** Proofs with a key that only the agent has (RFC 9449). */
  function newProver(): Prove {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const head = { typ: 'dpop+jwt', alg: 'ES256', jwk: publicKey.export({ format: 'jwk' }) }
    return (htm, path, token) => {
      const iat = Math.floor(auth.clock.now().getTime() / 1000)
      const claims = { jti: randomUUID(), htm, htu: `${auth.url}${path}`, iat }
      const signed = [head, { ...claims, ...(token && { ath: sha256(token) }) }]
        .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .join('.')
      const key = { key: privateKey, dsaEncoding: 'ieee-p1363' as const }
      return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`
    }
  }

  async function send(form: Record<string, string>, prove?: Prove) {
    const body = new URLSearchParams(form)
    const path = '/_auth/oauth2/token'
    const headers = { ...(prove && { dpop: prove('POST', path) }) }
    const answer = await fetch(`${auth.url}${path}`, { method: 'POST', body, headers })
    return { status: answer.status, body: (await answer.json()) as Tokens }
  }

  const redeem = (client: string, { body }: TestAnswer, prove?: Prove) =>
    send(
      {
        grant_type: 'authorization_code',
        client_id: client,
        redirect_uri: redirect,
        code: new URL(body.redirectTo).searchParams.get('code') ?? '',
        code_verifier: verifier,
      },
      prove,
    )

  const refresh = (client: string, { refresh_token }: Tokens) =>
    send({ grant_type: 'refresh_token', client_id: client, refresh_token })

  /** An agent with tokens, of the user or of the owner that is named. */
  async function connected(user: Pick<TestUser, 'key'>, asked: Asked = {}, prove?: Prove) {
    const client = await register()
    const answer = await consent(user, client, asked)
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
    return { client, tokens: (await redeem(client, answer, prove)).body }
  }

  /** A program without a browser, and the code that it shows. */
  async function shownCode(client_name: string) {
    const { body } = await auth.call('registerOAuth2Client', {
      grant_types: [deviceGrant],
      token_endpoint_auth_method: 'none',
      client_name,
    })
    const client = body.client_id as string
    const form = new URLSearchParams({ client_id: client })
    const address = `${auth.url}/_auth/oauth2/device_authorization`
    const answer = await fetch(address, { method: 'POST', body: form })
    const { user_code: userCode, device_code } = (await answer.json()) as Record<string, string>
    const poll = () =>
      send({ grant_type: deviceGrant, client_id: client, device_code: device_code ?? '' })
    return { client, userCode, poll }
  }

  const tokenOf = async (user: Pick<TestUser, 'key'>, asked: Asked = {}) =>
    (await connected(user, asked)).tokens.access_token

  async function open(
    path: string,
    { access_token: token }: Tokens,
    { method = 'GET', prove }: { method?: string; prove?: Prove } = {},
  ) {
    const headers = {
      authorization: `${prove ? 'DPoP' : 'Bearer'} ${token}`,
      ...(prove && { dpop: prove(method, path, token) }),
    }
    const answer = await fetch(`${auth.url}${path}`, { method, headers })
    const challenge = answer.headers.get('www-authenticate')
    return { status: answer.status, body: await answer.json(), challenge }
  }

  return {
    register,
    page,
    consent,
    redeem,
    refresh,
    connected,
    shownCode,
    tokenOf,
    open,
    newProver,
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')
