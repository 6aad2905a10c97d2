import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import * as openid from 'openid-client'
import { afterAll, describe, expect, it } from 'vitest'
import { startTestAuth, type TestUser } from '../../testing.ts'
import { issuer } from '../testing/test-agent.ts'
import {
  openidOptions,
  redirectUri,
  secret,
  signedOutUri,
  testRelyingParty,
  wikiKey,
} from '../testing/test-openid.ts'

// Applications with a library that others wrote: each goes from discovery to the user's name.

const auth = await startTestAuth(openidOptions)
afterAll(auth.stop)
const user = await auth.signedInUser()
const clockSkew = Math.round((auth.clock.now().getTime() - Date.now()) / 1000)

/** Takes what is for the issuer to the API, as the host of the web app does. */
const viaWebHost = (url: string, init: object) =>
  fetch(url.replace(`${issuer}/`, `${auth.url}/`), init)

/** What the user's browser does: it goes to the page, and comes back with the answer. */
async function browse({ href }: URL, by: TestUser) {
  const shown = await viaWebHost(href, { redirect: 'manual' })
  const fields = Object.fromEntries(new URL(shown.headers.get('location') ?? '').searchParams)
  const given = { ...fields, decision: 'allow' }
  const { body } = await auth.call('createOAuth2AuthorizationCode', given, by.key)
  return new URL(body.redirectTo)
}

function discover(clientId: string, clientAuth: openid.ClientAuth, algorithm = 'ES256') {
  const metadata = {
    id_token_signed_response_alg: algorithm,
    [openid.clockSkew]: clockSkew,
  }
  return openid.discovery(new URL(issuer), clientId, metadata, clientAuth, {
    execute: [openid.allowInsecureRequests],
    [openid.customFetch]: viaWebHost,
  })
}

interface Going {
  bound?: openid.DPoPOptions
  at?: string
}

async function signIn(config: openid.Configuration, { bound = {}, at = redirectUri }: Going = {}) {
  const pkceCodeVerifier = openid.randomPKCECodeVerifier()
  const checks = {
    pkceCodeVerifier,
    expectedState: openid.randomState(),
    expectedNonce: openid.randomNonce(),
    maxAge: 300,
    idTokenExpected: true,
  }
  const address = openid.buildAuthorizationUrl(config, {
    redirect_uri: at,
    scope: 'openid email',
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: checks.expectedState,
    nonce: checks.expectedNonce,
    max_age: '300',
  })
  const answer = await browse(address, user)
  const tokens = await openid.authorizationCodeGrant(config, answer, checks, undefined, bound)
  const sub = tokens.claims()?.sub ?? ''
  const { access_token: token } = tokens
  const userinfo = await openid.fetchUserInfo(config, token, sub, bound)
  return { tokens, userinfo, token }
}

const known = { sub: user.publicId, email: user.email, email_verified: true }

const inWebCrypto = (key: KeyObject) =>
  crypto.subtle.importKey(
    'jwk',
    key.export({ format: 'jwk' }),
    { name: 'ECDSA', namedCurve: 'P-256' },
    false,
    ['sign'],
  )

describe('openid-client', () => {
  it.each([
    ['client_secret_basic', openid.ClientSecretBasic(secret)],
    ['client_secret_post', openid.ClientSecretPost(secret)],
  ])('signs a user in as a client of %s', async (_, clientAuth) => {
    const config = await discover('intranet', clientAuth)
    openid.enableNonRepudiationChecks(config)
    const { tokens, userinfo } = await signIn(config)
    expect(userinfo).toEqual(known)
    expect(tokens.token_type).toBe('bearer')
  })

  it('signs a user in as a client that signs, with an id token of its algorithm', async () => {
    const config = await discover('wiki', openid.PrivateKeyJwt(await inWebCrypto(wikiKey)), 'RS256')
    openid.enableNonRepudiationChecks(config)
    expect((await signIn(config)).userinfo).toEqual(known)
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const other = openid.PrivateKeyJwt(await inWebCrypto(privateKey))
    const forged = signIn(await discover('wiki', other, 'RS256'))
    await expect(forged).rejects.toMatchObject({ status: 401 })
  })

  it('signs a user in without a secret only with tokens that are bound to its key (RFC 9449)', async () => {
    const config = await discover('desktop', openid.None())
    const at = 'http://127.0.0.1:50123/callback'
    await expect(signIn(config, { at })).rejects.toMatchObject({ error: 'invalid_dpop_proof' })
    const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair())
    const { userinfo, tokens, token } = await signIn(config, { at, bound: { DPoP } })
    expect([userinfo, tokens.token_type]).toEqual([known, 'dpop'])
    // Without the key, an attacker who has stolen it can't use it.
    const { userinfo: read } = testRelyingParty(auth)
    for (const scheme of ['Bearer', 'DPoP']) {
      expect((await read(token, { scheme })).status).toBe(401)
    }
  })

  it('sends the user here to sign out, and gets them back with its state', async () => {
    const config = await discover('intranet', openid.ClientSecretBasic(secret))
    const { tokens } = await signIn(config)
    const state = openid.randomState()
    const address = openid.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: signedOutUri,
      state,
    })
    expect(address.pathname).toBe('/_auth/oauth2/logout')
    const { signOut } = testRelyingParty(auth)
    const { facts } = await signOut(Object.fromEntries(address.searchParams))
    expect(facts).toMatchObject({ clientName: 'Intranet', sub: user.publicId })
    expect(facts.redirectTo).toBe(`${signedOutUri}?state=${state}`)
  })
})
