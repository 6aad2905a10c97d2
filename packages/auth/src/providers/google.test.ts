import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { createGoogleProvider } from './google.ts'
import { ProviderUnavailableError } from './openid/openid.ts'
import { ProviderRefusalError } from './provider.ts'
import type { IdTokenForgery } from './testing/test-id-token.ts'
import { startOpenIdServer } from './testing/test-openid-server.ts'
import { needsFrom, obtainCode, signInOnTheWeb } from './testing/test-provider-needs.ts'

const server = await startOpenIdServer()
afterAll(server.stop)
const ada = { sub: '110169484474386276334', email: 'ada@example.com', email_verified: true }
server.setUser({ ...ada, name: 'Ada' })
afterEach(() => {
  server.misbehave(null)
  server.setConsent(true)
  server.setUser({ ...ada, name: 'Ada' })
})

const needs = needsFrom('google', server.env)
const google = createGoogleProvider(needs)
const identity = {
  providerUserId: ada.sub,
  email: ada.email,
  isEmailVerified: true,
  name: 'Ada',
}
const nonce = 'f'.repeat(64)
const now = () => Math.floor(needs.clock.now().getTime() / 1000)

async function nativeSignIn(
  claims: Record<string, unknown> = {},
  { forgery, provider = google }: { forgery?: IdTokenForgery; provider?: typeof google } = {},
) {
  const idToken = await server.issueIdToken({ nonce, ...claims }, forgery)
  return provider.verifyNativeIdToken?.(idToken, { nonce })
}

describe('signing in with Google on the web', () => {
  it('is with the identity of a verified id token, and tokens to keep', async () => {
    const signedIn = await signInOnTheWeb(google)

    expect(signedIn.identity).toEqual(identity)
    expect(signedIn.tokens).toMatchObject({
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      expiresInSeconds: 3600,
    })
  })

  it('asks for an id token, a refresh token and the configured scopes, bound to this browser', async () => {
    const request = { redirectUri: 'https://a.example/c', state: 's', codeChallenge: 'c', nonce }
    const url = new URL(await google.getAuthUrl(request))

    expect(url.origin + url.pathname).toBe(`${server.issuer}/authorize`)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: server.clientId,
      redirect_uri: 'https://a.example/c',
      scope: 'openid email profile',
      state: 's',
      nonce,
      code_challenge: 'c',
      code_challenge_method: 'S256',
      access_type: 'offline',
    })
  })

  it.each([
    ['a verifier of another browser', { codeVerifier: 'x'.repeat(43) }],
    ['another page to come back to', { redirectUri: 'http://localhost:3790/elsewhere' }],
    ['an invented code', { code: 'invented' }],
  ])('is refused with %s', async (_, meddle) => {
    await expect(signInOnTheWeb(google, meddle)).rejects.toThrow(ProviderRefusalError)
  })

  it('is refused with a code that was used', async () => {
    const code = await obtainCode(google)
    await google.exchangeCode(code)
    await expect(google.exchangeCode(code)).rejects.toThrow(ProviderRefusalError)
  })

  it('is refused with a wrong secret, which is not told', async () => {
    const env = { ...server.env, SVC_AUTH_GOOGLE_CLIENT_SECRET: 'hunter2' }
    const other = createGoogleProvider(needsFrom('google', env))
    await expect(signInOnTheWeb(other)).rejects.toThrow(/gave no tokens: 400 invalid_client$/)
  })

  it('is refused with an id token of another nonce, of an app, or none at all', async () => {
    const { tokens } = await signInOnTheWeb(google)
    const mayNot = (idToken?: string) => {
      const { idToken: _, ...others } = tokens
      const changed = idToken === undefined ? others : { ...others, idToken }
      return expect(google.getIdentity(changed, { nonce })).rejects.toThrow(ProviderRefusalError)
    }
    await mayNot(tokens.idToken)
    await mayNot(await server.issueIdToken({ nonce }))
    await mayNot()
  })

  it('takes no address that Google does not call verified', async () => {
    server.setUser({ ...ada, email_verified: false })
    expect((await signInOnTheWeb(google)).identity.isEmailVerified).toBe(false)
    server.setUser({ ...ada, email_verified: 'true' })
    expect((await signInOnTheWeb(google)).identity.isEmailVerified).toBe(false)
    server.setUser({ sub: ada.sub, email_verified: true })
    expect((await signInOnTheWeb(google)).identity).toEqual({
      providerUserId: ada.sub,
      isEmailVerified: false,
    })
  })

  it('gets new tokens for a refresh token of its own', async () => {
    const { tokens } = await signInOnTheWeb(google)
    const fresh = await google.refreshTokens?.(tokens.refreshToken ?? '')
    expect(fresh?.accessToken).not.toBe(tokens.accessToken)
    await expect(google.refreshTokens?.('invented')).rejects.toThrow(ProviderRefusalError)
  })

  it.each(['down', 'failing', 'huge', 'not json', 'other json', 'redirecting'] as const)(
    'is no refusal while Google is %s (F20)',
    async (how) => {
      const code = await obtainCode(google)
      server.misbehave(how)
      await expect(google.exchangeCode(code)).rejects.toThrow(ProviderUnavailableError)
    },
  )
})

describe('signing in with Google in an app', () => {
  it('is with an id token alone (A-292, A-297)', async () => {
    expect(await nativeSignIn()).toEqual(identity)
    expect(await nativeSignIn({}, { forgery: { alg: 'ES256' } })).toEqual(identity)
  })

  it('is for the clients of apps and the one of the web (A-089, A-296)', async () => {
    expect(await nativeSignIn({ aud: server.clientId })).toEqual(identity)
    expect(await nativeSignIn({ aud: server.clientId, azp: server.appClientId })).toEqual(identity)
    expect(await nativeSignIn({ aud: [server.appClientId, server.clientId] })).toEqual(identity)
  })

  it('is not there without a client of an app (A-089, A-296)', () => {
    const env = { ...server.env, SVC_AUTH_GOOGLE_NATIVE_CLIENT_IDS: '' }
    const provider = createGoogleProvider(needsFrom('google', env))
    expect(provider).not.toHaveProperty('verifyNativeIdToken')
  })

  const both = [server.appClientId, 'of-somebody-else']
  const forged: [string, Record<string, unknown>, IdTokenForgery?][] = [
    ['of another issuer', { iss: 'https://issuer.example' }],
    ['of an issuer that only begins alike', { iss: `${server.issuer}/` }],
    ['of no issuer', { iss: undefined }],
    ['for another client', { aud: 'of-somebody-else' }],
    ['for no client', { aud: undefined }],
    ['for no one in particular', { aud: [] }],
    ['for us and another client, without a word on who may use it', { aud: both }],
    ['for us and another client, who may use it', { aud: both, azp: 'of-somebody-else' }],
    ['for us, that another may use', { azp: 'of-somebody-else' }],
    ['for us, that no client may use', { azp: null }],
    ['that has expired', { exp: now() - 1 }],
    ['that never expires', { exp: undefined }],
    ['that expires in words', { exp: '9999999999' }],
    ['of the future', { iat: now() + 120 }],
    ['of no time', { iat: undefined }],
    ['for the future', { nbf: now() + 120 }],
    ['without a nonce', { nonce: undefined }],
    ['for another nonce', { nonce: 'e'.repeat(64) }],
    ['for the nonce in capitals (A-295)', { nonce: nonce.toUpperCase() }],
    ['for the nonce in base64 (A-295)', { nonce: Buffer.from(nonce, 'hex').toString('base64') }],
    ['for a nonce that is no text', { nonce: [nonce] }],
    ['without a user', { sub: undefined }],
    ['of an empty user', { sub: '' }],
    ['of user null', { sub: null }],
    ['of user "null"', { sub: 'null' }],
    ['of user "undefined"', { sub: 'undefined' }],
    ['of a number', { sub: 1234567890 }],
    ['of a list', { sub: [ada.sub] }],
    ['of a user with a very long name', { sub: '1'.repeat(10_000) }],
    ['of a user with a NUL', { sub: '1\0' }],
    ['that is very long', { padding: 'x'.repeat(20_000) }],
    ['that is not signed', {}, { alg: 'none' }],
    ['signed with the public key', {}, { alg: 'HS256' }],
    ['signed with the secret', {}, { alg: 'HS256', key: { secret: server.clientSecret } }],
    ['signed by another', {}, { key: 'foreign' }],
    ['signed by another with ECDSA', {}, { alg: 'ES256', key: 'foreign' }],
    ['signed with an unknown key', {}, { kid: 'unknown' }],
    ['that names a key for another algorithm', {}, { kid: 'ec' }],
  ]

  it.each(forged)('is refused with a token %s (A-292)', async (_, claims, forgery = {}) => {
    await expect(nativeSignIn(claims, { forgery })).rejects.toThrow(ProviderRefusalError)
  })

  it.each(['', 'x', 'a.b.c', '..', 'e30.e30.', 'a.b.c.d.e'])(
    'is refused with %j in place of a token (A-292)',
    async (idToken) => {
      await expect(google.verifyNativeIdToken?.(idToken, { nonce })).rejects.toThrow(
        ProviderRefusalError,
      )
    },
  )

  it('is refused with a token whose claims were altered (A-292)', async () => {
    const [header, payload = '', signature] = (await server.issueIdToken({ nonce })).split('.')
    const claims: object = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const altered = Buffer.from(JSON.stringify({ ...claims, sub: '1' })).toString('base64url')
    const idToken = `${header}.${altered}.${signature}`
    await expect(google.verifyNativeIdToken?.(idToken, { nonce })).rejects.toThrow(
      ProviderRefusalError,
    )
  })

  it('forgives a clock that is a minute off, but no expiry', async () => {
    expect(await nativeSignIn({ iat: now() + 60, nbf: now() + 60 })).toEqual(identity)
    await expect(nativeSignIn({ exp: now() })).rejects.toThrow(ProviderRefusalError)
  })

  it('asks for no key again, however many tokens name unknown ones (F20)', async () => {
    await nativeSignIn()
    const before = server.timesAsked('/jwks')
    const flood = Array.from({ length: 50 }, (_, i) => {
      return nativeSignIn({}, { forgery: { kid: `no-${i}` } })
    })
    await Promise.allSettled(flood)
    expect(server.timesAsked('/jwks')).toBe(before)
  })

  it('goes on while Google is down, and is no refusal where its keys are not known (F20)', async () => {
    await nativeSignIn()
    server.misbehave('down')
    expect(await nativeSignIn()).toEqual(identity)

    const provider = createGoogleProvider(needsFrom('google', server.env))
    await expect(nativeSignIn({}, { provider })).rejects.toThrow(ProviderUnavailableError)
  })

  it('knows both ways that Google spells itself', async () => {
    // Its keys alone are elsewhere.
    const { SVC_AUTH_GOOGLE_ISSUER: _, ...env } = server.env
    const jwks = { SVC_AUTH_GOOGLE_JWKS_URI: `${server.issuer}/jwks` }
    const provider = createGoogleProvider(needsFrom('google', { ...env, ...jwks }))
    const signInAs = (iss: string) => nativeSignIn({ iss }, { provider })

    expect(await signInAs('https://accounts.google.com')).toEqual(identity)
    expect(await signInAs('accounts.google.com')).toEqual(identity)
    await expect(signInAs(server.issuer)).rejects.toThrow(ProviderRefusalError)
    await expect(signInAs('http://accounts.google.com')).rejects.toThrow(ProviderRefusalError)
  })
})
