import { generateKeyPairSync } from 'node:crypto'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { hashToken } from '../../crypto/crypto.ts'
import type { TestAnswer, TestAuth, TestUser } from '../../testing.ts'
import { agentOptions, issuer, pkce } from './test-agent.ts'

const jwkOf = (kid: string) => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
  kid,
})
const rsaKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

/** With which the server signs: the first, one that it signed with before, and one of RSA. */
export const openidKeys = [
  jwkOf('new'),
  jwkOf('old'),
  { ...rsaKey.export({ format: 'jwk' }), kid: 'rsa' },
]

export const openidEnv = { SVC_AUTH_OPENID_KEYS: JSON.stringify(openidKeys) }

const signing = generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** With which the wiki signs. */
export const wikiKey = signing.privateKey

export const secret = 'a secret of the intranet, which has many characters'
export const redirectUri = 'https://intranet.example.com/callback'
/** Where the intranet sends users who have signed out. */
export const signedOutUri = 'https://intranet.example.com/signed-out'

const clients = {
  intranet: {
    name: 'Intranet',
    redirectUris: [redirectUri],
    secretHash: hashToken(secret) as string,
    trusted: true,
    postLogoutRedirectUris: [signedOutUri],
  },
  partner: {
    name: 'Partner',
    redirectUris: [redirectUri],
    secretHash: hashToken(secret) as string,
  },
  wiki: {
    name: 'Wiki',
    redirectUris: [redirectUri],
    keys: { jwks: { keys: [signing.publicKey.export({ format: 'jwk' })] } },
    trusted: true,
    idTokenAlgorithm: 'RS256' as const,
  },
  desktop: { name: 'Desktop', redirectUris: ['http://127.0.0.1/callback'], trusted: true },
}

/** A server where applications sign users in, beside its agents. */
export const openidOptions = {
  env: openidEnv,
  options: {
    authorizationServer: { ...agentOptions.options.authorizationServer, openid: { clients } },
  },
}

type Fields = Record<string, string | undefined>

const present = (fields: Fields) =>
  Object.entries(fields).filter((each): each is [string, string] => each[1] !== undefined)

/** An application's side of a sign-in, one request at a time, and what the browser of its user does. */
export function testRelyingParty(auth: TestAuth, clientId = 'intranet') {
  const asked = (fields: Fields = {}): Record<string, string> =>
    Object.fromEntries(
      present({
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: 'openid profile email',
        state: 'a state',
        nonce: 'a nonce',
        ...fields,
      }),
    )

  /** Where the authorization endpoint sends a browser. */
  async function visit(fields: Record<string, string>) {
    const url = `${auth.url}/_auth/oauth2/authorize?${new URLSearchParams(fields)}`
    const { headers } = await fetch(url, { redirect: 'manual', headers: { accept: 'text/html' } })
    return new URL(headers.get('location') ?? '')
  }

  /** Where the logout endpoint sends a browser, and what that page reads of the request in its address. */
  async function signOut(fields: Fields, method: 'GET' | 'POST' = 'GET') {
    const given = new URLSearchParams(present(fields))
    const url = `${auth.url}/_auth/oauth2/logout`
    const { status, headers } = await (method === 'GET'
      ? fetch(`${url}?${given}`, { redirect: 'manual' })
      : fetch(url, { method: 'POST', body: given, redirect: 'manual' }))
    const page = headers.get('location') ?? ''
    return { status, page, ...(page !== '' && (await signOutFacts(page))) }
  }

  async function signOutFacts(page: string) {
    const answer = await fetch(`${auth.url}/_auth/oauth2/logout/request${new URL(page).search}`)
    return { told: answer.status, facts: await answer.json() }
  }

  /** What the consent page has been asked, as the endpoint passes it on. */
  async function passedOn(fields: Fields = {}) {
    const { searchParams } = await visit(asked(fields))
    return Object.fromEntries(searchParams)
  }

  const describe = (user: TestUser, query: object) =>
    auth.call('getOAuth2Authorize', undefined, user.key, { query: { ...query } })

  const decide = (user: TestUser, fields: object, decision = 'allow') =>
    auth.call('createOAuth2AuthorizationCode', { ...fields, decision }, user.key)

  /** What comes back to the application with the browser. */
  async function answered(user: TestUser, fields: Fields = {}) {
    const { status, body } = await decide(user, await passedOn(fields))
    if (status !== 200) throw new Error(JSON.stringify(body))
    return Object.fromEntries(new URL(body.redirectTo).searchParams)
  }

  async function send(
    form: Fields,
    headers: Record<string, string> = basic(),
  ): Promise<TestAnswer> {
    const body = new URLSearchParams(present(form))
    const url = `${auth.url}/_auth/oauth2/token`
    const answer = await fetch(url, { method: 'POST', body, headers })
    return { status: answer.status, headers: answer.headers, body: await answer.json() }
  }

  const basic = () => ({
    authorization: `Basic ${Buffer.from(`${clientId}:${encodeURIComponent(secret)}`).toString('base64')}`,
  })

  const redeem = (code: string | undefined, form: Fields = {}, headers?: Record<string, string>) =>
    send({ grant_type: 'authorization_code', redirect_uri: redirectUri, code, ...form }, headers)

  /** The tokens of a sign-in that succeeds. */
  async function signIn(user: TestUser, fields: Fields = {}) {
    const { verifier, challenge } = pkce()
    const codes = { code_challenge: challenge, code_challenge_method: 'S256' }
    const { code } = await answered(user, { ...codes, ...fields })
    const { status, body } = await redeem(code, { code_verifier: verifier })
    if (status !== 200) throw new Error(JSON.stringify(body))
    return body as { access_token: string; id_token: string; scope: string }
  }

  const userinfo = async (
    token: string,
    { method = 'GET', scheme = 'Bearer', headers = {} } = {},
  ) => {
    const url = `${auth.url}/_auth/oauth2/userinfo`
    const authorization = `${scheme} ${token}`
    const answer = await fetch(url, { method, headers: { authorization, ...headers } })
    return { status: answer.status, headers: answer.headers, body: await answer.json() }
  }

  /** The claims of an id token, as an application checks it: with nothing but what is published. */
  async function claimsOf(idToken: string) {
    const keys = await (await fetch(`${auth.url}/_auth/oauth2/jwks`)).json()
    const currentDate = auth.clock.now()
    const expected = { issuer, audience: clientId, currentDate }
    const { payload, protectedHeader } = await jwtVerify(idToken, createLocalJWKSet(keys), expected)
    return { claims: payload, header: protectedHeader }
  }

  return {
    asked,
    visit,
    signOut,
    signOutFacts,
    passedOn,
    describe,
    decide,
    answered,
    send,
    basic,
    redeem,
    signIn,
    userinfo,
    claimsOf,
  }
}
