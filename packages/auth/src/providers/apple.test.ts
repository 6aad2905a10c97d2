import { createHash } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { createAppleProvider } from './apple.ts'
import { ProviderRefusalError } from './provider.ts'
import { startOpenIdServer } from './testing/test-openid-server.ts'
import { needsFrom } from './testing/test-provider-needs.ts'

const server = await startOpenIdServer()
afterAll(server.stop)
const apple = createAppleProvider(needsFrom('apple', server.appleEnv))

const nonce = 'f'.repeat(64)
const hashed = createHash('sha256').update(nonce).digest('hex')

async function nativeSignIn(claims: Record<string, unknown> = {}) {
  const idToken = await server.issueIdToken({ nonce: hashed, ...claims })
  return apple.verifyNativeIdToken?.(idToken, { nonce })
}

describe('signing in with Apple', () => {
  it('is by a token that holds the SHA-256 of the nonce (A-294, A-297)', async () => {
    expect(await nativeSignIn({ name: undefined })).toEqual({
      providerUserId: 'ada',
      email: 'ada@example.com',
      isEmailVerified: true,
    })
    await expect(nativeSignIn({ nonce })).rejects.toThrow(ProviderRefusalError)
    await expect(nativeSignIn({ nonce: hashed.toUpperCase() })).rejects.toThrow(
      ProviderRefusalError,
    )
  })

  it.each([
    [true, true],
    ['true', true],
    [false, false],
    ['false', false],
    [1, false],
    [undefined, false],
  ])('takes the address for verified where Apple says %j: %s', async (email_verified, expected) => {
    expect((await nativeSignIn({ email_verified }))?.isEmailVerified).toBe(expected)
  })

  it('is refused with the token of another provider (A-292)', async () => {
    await expect(nativeSignIn({ iss: 'https://accounts.google.com' })).rejects.toThrow(
      ProviderRefusalError,
    )
    await expect(nativeSignIn({ aud: 'of-somebody-else' })).rejects.toThrow(ProviderRefusalError)
  })

  it('is from apps only: what a browser would need throws (A-276)', () => {
    const request = { redirectUri: '', state: '', codeChallenge: '', nonce }
    expect(apple.web).toBeFalsy()
    expect(() => apple.getAuthUrl(request)).toThrow('from apps only')
    expect(() => apple.exchangeCode({ ...request, code: '', codeVerifier: '' })).toThrow(
      'from apps only',
    )
    expect(() => apple.getIdentity({ accessToken: '' }, { nonce })).toThrow('from apps only')
  })

  it('is not there without a client of an app (A-296)', () => {
    expect(createAppleProvider(needsFrom('apple', {}))).not.toHaveProperty('verifyNativeIdToken')
  })
})
