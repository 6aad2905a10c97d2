import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createNaverProvider } from './naver.ts'
import { ProviderUnavailableError } from './openid/openid.ts'
import { ProviderRefusalError } from './provider.ts'
import { naverUser, startTestNaver } from './testing/test-naver.ts'
import { needsFrom, obtainCode, signInOnTheWeb } from './testing/test-provider-needs.ts'

const naver = await startTestNaver()
afterAll(naver.stop)
beforeEach(() => {
  naver.setUser(naverUser)
  naver.misbehave(null)
})

const needs = needsFrom('naver', naver.env)
const provider = createNaverProvider(needs)
const signIn = async () => (await signInOnTheWeb(provider)).identity

const oddIds = [
  undefined,
  null,
  '',
  12345,
  'undefined',
  'null',
  'NaN',
  'two words',
  'a'.repeat(65),
  'a'.repeat(10_000),
]

const nonce = 'f'.repeat(64)
async function nativeSignIn(accessToken?: string, claims = {}) {
  const idToken = await naver.idToken({ nonce, ...claims }, needs.clock.now())
  const given = accessToken === undefined ? { nonce } : { nonce, accessToken }
  return provider.verifyNativeIdToken?.(idToken, given)
}

describe('signing in with Naver on the web', () => {
  it('is by the id in the application, and the address counts as verified (A-280)', async () => {
    expect(await signIn()).toEqual({
      providerUserId: 'abcdefgABCDEFG1234567',
      email: 'naveridlogin@naver.com',
      isEmailVerified: true,
      name: '네이버',
    })
  })

  it.each([undefined, null, '', 5, {}])('has no address that is %s (A-280)', async (email) => {
    naver.setUser({ ...naverUser, email })
    const identity = await signIn()
    expect(identity).not.toHaveProperty('email')
    expect(identity.isEmailVerified).toBe(false)
  })

  it('knows the numbers of older applications (A-280)', async () => {
    naver.setUser({ id: '9223372036854775807' })
    expect(await signIn()).toEqual({
      providerUserId: '9223372036854775807',
      isEmailVerified: false,
    })
  })

  it.each(oddIds)('is refused with the id %.20s (A-280)', async (id) => {
    naver.setUser({ ...naverUser, id })
    await expect(signIn()).rejects.toThrow(ProviderRefusalError)
  })

  it.each(['024', '028', '0', ''])('is refused with the result %s (A-280)', async (resultcode) => {
    naver.setUser({ ...naverUser, resultcode })
    await expect(signIn()).rejects.toThrow(ProviderRefusalError)
  })

  it('redeems the code with the secret and the state, once (A-280)', async () => {
    const code = await obtainCode(provider)
    expect(await provider.exchangeCode(code)).toMatchObject({
      refreshToken: 'refresh-token-of-naver',
      expiresInSeconds: 3600,
    })
    await expect(provider.exchangeCode(code)).rejects.toThrow(ProviderRefusalError)
    await expect(signInOnTheWeb(provider, { state: '' })).rejects.toThrow(ProviderRefusalError)
    const env = { ...naver.env, SVC_AUTH_NAVER_CLIENT_SECRET: 'another' }
    await expect(signInOnTheWeb(createNaverProvider(needsFrom('naver', env)))).rejects.toThrow(
      ProviderRefusalError,
    )
  })

  it('says that Naver cannot be asked when it cannot (A-280)', async () => {
    const code = await obtainCode(provider)
    naver.misbehave('down')
    await expect(provider.exchangeCode(code)).rejects.toThrow(ProviderUnavailableError)
  })
})

describe('signing in with Naver in an app', () => {
  const alone = { providerUserId: 'abcdefgABCDEFG1234567', isEmailVerified: false }

  it('has no address without an access token, even if the id token has one (A-301)', async () => {
    expect(await nativeSignIn()).toEqual(alone)
    expect(await nativeSignIn(undefined, { email: 'a@example.com', email_verified: true })).toEqual(
      alone,
    )
  })

  it('looks the address up, which counts as verified (A-299)', async () => {
    expect(await nativeSignIn(naver.accessTokenOf(naverUser))).toEqual({
      ...alone,
      email: 'naveridlogin@naver.com',
      isEmailVerified: true,
      name: '네이버',
    })
  })

  it('takes a token of another user, or of another application, for none (A-300, A-303)', async () => {
    const somebody = naver.accessTokenOf({ ...naverUser, id: 'abcdefgABCDEFG1234568' })
    expect(await nativeSignIn(somebody)).toEqual(alone)
  })

  it.each(oddIds)('takes a token of the user %.20s for none (A-300)', async (id) => {
    expect(await nativeSignIn(naver.accessTokenOf({ ...naverUser, id }))).toEqual(alone)
  })

  it('takes a token whose look-up fails for none (A-300)', async () => {
    const refused = naver.accessTokenOf({ ...naverUser, resultcode: '024' })
    expect(await nativeSignIn(refused)).toEqual(alone)
    expect(await nativeSignIn('unknown')).toEqual(alone)
    expect(await nativeSignIn('a\r\nhost: elsewhere')).toEqual(alone)
  })

  it.each(['down', 'huge', 'redirecting'] as const)(
    'is as without a token when Naver is %s (A-300)',
    async (how) => {
      await nativeSignIn()
      const accessToken = naver.accessTokenOf(naverUser)
      naver.misbehave(how)
      expect(await nativeSignIn(accessToken)).toEqual(alone)
    },
  )

  it('accepts the client of the app, and no other (A-303)', async () => {
    const env = { ...naver.env, SVC_AUTH_NAVER_NATIVE_CLIENT_IDS: 'of-the-app' }
    const other = createNaverProvider({ ...needs, ...needsFrom('naver', env) })
    const idToken = (aud: string) => naver.idToken({ nonce, aud }, needs.clock.now())
    expect(await other.verifyNativeIdToken?.(await idToken('of-the-app'), { nonce })).toEqual(alone)
    await expect(nativeSignIn(undefined, { aud: 'of-the-app' })).rejects.toThrow(
      ProviderRefusalError,
    )
  })

  it('is off without a client (A-086, A-296)', () => {
    const off = createNaverProvider(needsFrom('naver', {}))
    expect(off).toMatchObject({ web: false })
    expect(off).not.toHaveProperty('verifyNativeIdToken')
  })
})

describe('when a user ends the consent at Naver', () => {
  it('accepts a request signed with the secret, and answers 204 (A-287)', async () => {
    const { form } = naver.unlinkNotice(String(naverUser.id))
    const request = {
      method: 'POST' as const,
      headers: new Headers(),
      fields: new URLSearchParams(form),
      now: new Date(),
    }
    const told = { providerUserId: 'abcdefgABCDEFG1234567', reason: 'unlinked' }
    expect(await provider.verifyUnlinkNotification?.(request)).toMatchObject(told)
    expect(provider.unlinkNotifyAckStatus).toBe(204)

    const off = createNaverProvider(needsFrom('naver', {}))
    expect(await off.verifyUnlinkNotification?.(request)).toBeNull()
  })
})
