import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { createOidcProvider, type OidcProviderOptions } from './oidc.ts'
import { ProviderUnavailableError } from './openid/openid.ts'
import { ProviderRefusalError } from './provider.ts'
import { startOpenIdServer } from './testing/test-openid-server.ts'
import { obtainCode, signInOnTheWeb } from './testing/test-provider-needs.ts'

const server = await startOpenIdServer()
afterAll(server.stop)
afterEach(() => {
  server.misbehave(null)
  server.setMetadata({})
  vi.unstubAllEnvs()
})

const { issuer, clientId, clientSecret } = server
const nonce = 'f'.repeat(64)

const acme = (options: Partial<OidcProviderOptions> = {}) =>
  createOidcProvider({ id: 'acme', issuer, clientId, clientSecret, ...options })

describe('a provider of OpenID Connect that an application has', () => {
  it('signs in on the web, by what it publishes of itself', async () => {
    const { identity } = await signInOnTheWeb(acme())
    expect(identity).toEqual({
      providerUserId: 'ada',
      email: 'ada@example.com',
      isEmailVerified: true,
      name: 'Ada',
    })
  })

  it('is told the secret in the way that it publishes', async () => {
    const strange = 'a b:c+ü/%'
    for (const methods of [['client_secret_post'], ['client_secret_basic'], undefined]) {
      server.setMetadata({ token_endpoint_auth_methods_supported: methods })
      const { tokens } = await signInOnTheWeb(acme())
      expect((await acme().refreshTokens?.(tokens.refreshToken ?? ''))?.accessToken).toBeTruthy()
      await expect(signInOnTheWeb(acme({ clientSecret: strange }))).rejects.toThrow(
        ProviderRefusalError,
      )
    }
  })

  it('asks for the scopes that it is given, and for an id token', async () => {
    const request = { redirectUri: 'https://a.example/c', state: 's', codeChallenge: 'c', nonce }
    const scopeOf = async (options: Partial<OidcProviderOptions>) =>
      new URL(await acme(options).getAuthUrl(request)).searchParams.get('scope')

    expect(await scopeOf({})).toBe('openid email profile')
    expect(await scopeOf({ scopes: ['groups', 'openid'] })).toBe('openid groups')
  })

  it('has no say about addresses where the application does not trust it', async () => {
    const { identity } = await signInOnTheWeb(acme({ trustsEmail: false }))
    expect(identity).toMatchObject({ email: 'ada@example.com', isEmailVerified: false })
  })

  it('signs in from apps where it has clients of apps (A-306)', async () => {
    const native = acme({ nativeAudiences: [server.appClientId] })
    const idToken = await server.issueIdToken({ nonce })

    expect(await native.verifyNativeIdToken?.(idToken, { nonce })).toMatchObject({
      providerUserId: 'ada',
    })
    const forTheWeb = await server.issueIdToken({ nonce, aud: clientId })
    await expect(native.verifyNativeIdToken?.(forTheWeb, { nonce })).rejects.toThrow(
      ProviderRefusalError,
    )
    expect(acme()).not.toHaveProperty('verifyNativeIdToken')
  })

  it('is asked what it publishes once, and again only after it could not be', async () => {
    const provider = acme()
    const before = server.timesAsked('/.well-known/openid-configuration')
    server.misbehave('down')
    await expect(obtainCode(provider)).rejects.toThrow(ProviderUnavailableError)
    server.misbehave(null)
    await Promise.all([obtainCode(provider), obtainCode(provider)])
    await obtainCode(provider)
    expect(server.timesAsked('/.well-known/openid-configuration') - before).toBe(2)
  })

  it.each([
    ['is of another issuer', { issuer: 'https://issuer.example' }],
    ['is of an issuer that is spelled otherwise', { issuer: `${issuer}/` }],
    ['sends browsers nowhere', { authorization_endpoint: undefined }],
    ['sends browsers to a script', { authorization_endpoint: 'javascript:alert(1)' }],
    ['has no TLS', { authorization_endpoint: 'http://issuer.example/authorize' }],
  ])('is not used when what it publishes %s', async (_, members) => {
    server.setMetadata(members)
    await expect(obtainCode(acme())).rejects.toThrow(ProviderUnavailableError)
  })

  it('is not made for an issuer without TLS, but for this machine outside production', () => {
    expect(() => acme({ issuer: 'http://issuer.example' })).toThrow('must be an https address')
    vi.stubEnv('NODE_ENV', 'production')
    expect(() => acme()).toThrow('must be an https address')
  })
})
