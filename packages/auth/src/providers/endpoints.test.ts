import { systemClock } from '@svc/core'
import { afterAll, describe, expect, it } from 'vitest'
import { readEndpoints } from './endpoints.ts'
import { BUILTIN_PROVIDERS } from './fields.ts'
import { createProviders } from './providers.ts'
import { startOpenIdServer } from './testing/test-openid-server.ts'

const server = await startOpenIdServer()
afterAll(server.stop)
const origin = server.issuer

describe('where providers are asked', () => {
  it('is where they really are', async () => {
    const real = readEndpoints({ NODE_ENV: 'production' })
    const all = [
      await real.google(),
      await real.apple(),
      await real.kakao(),
      await real.naver(),
      real.github(),
    ]
    for (const address of all.flatMap((endpoints) => Object.values(endpoints))) {
      expect(address).toMatch(
        /^https:\/\/(\w+\.)*(google(apis)?|apple|kakao|naver|github)\.com(\/\S+)?$/,
      )
    }
  })

  it('is what an issuer that is set publishes', async () => {
    const endpoints = readEndpoints({ SVC_AUTH_KAKAO_ISSUER: origin })
    expect(await endpoints.kakao()).toEqual({
      issuer: origin,
      authorizationEndpoint: `${origin}/authorize`,
      tokenEndpoint: `${origin}/token`,
      jwksUri: `${origin}/jwks`,
      userinfoEndpoint: `${origin}/userinfo`,
    })
    expect((await endpoints.naver()).issuer).toBe('https://nid.naver.com')
  })

  it('is what is set, and no provider is asked where all is', async () => {
    const before = server.timesAsked('/.well-known/openid-configuration')
    const endpoints = readEndpoints({
      SVC_AUTH_APPLE_ISSUER: origin,
      SVC_AUTH_APPLE_JWKS_URI: `${origin}/apple`,
      SVC_AUTH_GOOGLE_TOKEN_ENDPOINT: `${origin}/google`,
      SVC_AUTH_GITHUB_API_URL: `${origin}/api`,
    })

    expect(await endpoints.apple()).toEqual({ issuer: origin, jwksUri: `${origin}/apple` })
    expect(await endpoints.google()).toMatchObject({
      issuer: 'https://accounts.google.com',
      tokenEndpoint: `${origin}/google`,
    })
    expect(endpoints.github().apiUrl).toBe(`${origin}/api`)
    expect(server.timesAsked('/.well-known/openid-configuration')).toBe(before)
  })

  it.each([
    'http://issuer.example',
    'ftp://localhost',
    'issuer.example',
    'https://user:password@issuer.example',
    'https://issuer.example/#fragment',
    'http://localhost.issuer.example',
  ])('may not be %s', (address) => {
    expect(() => readEndpoints({ SVC_AUTH_NAVER_ISSUER: address })).toThrow(
      'SVC_AUTH_NAVER_ISSUER must be an https address',
    )
  })

  it('may be this machine outside production only, and every problem is told', () => {
    const source = { SVC_AUTH_GOOGLE_ISSUER: origin, SVC_AUTH_GITHUB_API_URL: origin }
    expect(() => readEndpoints(source)).not.toThrow()
    expect(() => readEndpoints({ ...source, NODE_ENV: 'production' })).toThrow(
      /SVC_AUTH_GOOGLE_ISSUER must be[^]*SVC_AUTH_GITHUB_API_URL must be/,
    )
  })
})

describe('the providers that are built in', () => {
  it('are five, each for the ways in that it is configured for', () => {
    const providers = createProviders(
      { ...server.env, ...server.appleEnv, SVC_AUTH_KAKAO_CLIENT_ID: 'kakao' },
      { clock: systemClock, env: { SVC_AUTH_KAKAO_ADMIN_KEY: undefined } },
    )
    const ways = providers
      .all()
      .filter(({ id }) => BUILTIN_PROVIDERS.some((ours) => ours === id))
      .map((provider) => [
        provider.id,
        { web: provider.web === true, native: 'verifyNativeIdToken' in provider },
      ])
    expect(Object.fromEntries(ways)).toEqual({
      google: { web: true, native: true },
      apple: { web: false, native: true },
      github: { web: false, native: false },
      kakao: { web: true, native: true },
      naver: { web: false, native: false },
    })
  })
})
