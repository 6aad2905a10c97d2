import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createKakaoProvider } from './kakao.ts'
import { ProviderUnavailableError } from './openid/openid.ts'
import { ProviderRefusalError } from './provider.ts'
import { type KakaoUser, kakaoUser, startTestKakao } from './testing/test-kakao.ts'
import { needsFrom, obtainCode, signInOnTheWeb } from './testing/test-provider-needs.ts'

const kakao = await startTestKakao()
afterAll(kakao.stop)
beforeEach(() => {
  kakao.setUser(kakaoUser)
  kakao.misbehave(null)
})

const needs = needsFrom('kakao', kakao.env)
const provider = createKakaoProvider({ ...needs, adminKey: kakao.env.SVC_AUTH_KAKAO_ADMIN_KEY })
const signIn = async () => (await signInOnTheWeb(provider)).identity

const account = (changes: Record<string, unknown>): KakaoUser => ({
  ...kakaoUser,
  kakao_account: { ...kakaoUser.kakao_account, ...changes },
})

const oddIds = [
  undefined,
  null,
  '',
  0,
  -1,
  1.5,
  2 ** 53,
  '1234567890',
  'undefined',
  'a'.repeat(10_000),
]

const nonce = 'f'.repeat(64)
async function nativeSignIn(accessToken?: string, claims = {}) {
  const idToken = await kakao.idToken({ nonce, ...claims }, needs.clock.now())
  const given = accessToken === undefined ? { nonce } : { nonce, accessToken }
  return provider.verifyNativeIdToken?.(idToken, given)
}

describe('signing in with Kakao on the web', () => {
  it('is by the number of the user in the application (A-278)', async () => {
    expect(await signIn()).toEqual({
      providerUserId: '1234567890',
      email: 'ryan@example.com',
      isEmailVerified: true,
      name: '라이언',
    })
  })

  it.each([
    [true, true, true],
    [true, false, false],
    [false, true, false],
    [false, false, false],
    [true, undefined, false],
    [undefined, true, false],
    ['true', 'true', false],
    [1, 1, false],
  ])(
    'with a valid (%s) and verified (%s) address may link: %s (A-278)',
    async (valid, verified, mayLink) => {
      kakao.setUser(account({ is_email_valid: valid, is_email_verified: verified }))
      expect(await signIn()).toMatchObject({ email: 'ryan@example.com', isEmailVerified: mayLink })
    },
  )

  it.each([undefined, null, '', 5, {}])('has no address that is %s (A-278)', async (email) => {
    kakao.setUser(account({ email }))
    const identity = await signIn()
    expect(identity).not.toHaveProperty('email')
    expect(identity.isEmailVerified).toBe(false)
  })

  it('needs no account of Kakao to be told (A-278)', async () => {
    kakao.setUser({ id: 7 })
    expect(await signIn()).toEqual({ providerUserId: '7', isEmailVerified: false })
  })

  it.each(oddIds)('is refused with the id %.20s (A-278)', async (id) => {
    kakao.setUser({ ...kakaoUser, id })
    await expect(signIn()).rejects.toThrow(ProviderRefusalError)
  })

  it('sends no secret where none is configured, and the one that is (A-090)', async () => {
    await signIn()
    const redeemed = kakao.asked.filter(({ path }) => path === '/oauth/token')
    expect(redeemed.some(({ form }) => form.has('client_secret'))).toBe(false)

    const strict = await startTestKakao({ clientSecret: 'secret-of-kakao' })
    const [withSecret, without] = [
      strict.env,
      { ...strict.env, SVC_AUTH_KAKAO_CLIENT_SECRET: '' },
    ].map((env) => createKakaoProvider(needsFrom('kakao', env)))
    if (!withSecret || !without) throw new Error('There are two.')
    expect((await signInOnTheWeb(withSecret)).identity.providerUserId).toBe('1234567890')
    await expect(signInOnTheWeb(without)).rejects.toThrow(ProviderRefusalError)
    strict.stop()
  })

  it('asks for its scopes in a list with commas, and with a challenge (A-090)', async () => {
    const env = { ...kakao.env, SVC_AUTH_KAKAO_SCOPES: 'account_email,profile_nickname' }
    const other = createKakaoProvider(needsFrom('kakao', env))
    const url = new URL(
      await other.getAuthUrl({
        redirectUri: 'http://localhost/',
        state: 's',
        codeChallenge: 'c',
        nonce: 'n',
      }),
    )
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: kakao.env.SVC_AUTH_KAKAO_CLIENT_ID,
      redirect_uri: 'http://localhost/',
      state: 's',
      scope: 'account_email,profile_nickname',
      code_challenge: 'c',
      code_challenge_method: 'S256',
    })
    await expect(signInOnTheWeb(provider, { codeVerifier: 'another' })).rejects.toThrow(
      ProviderRefusalError,
    )
  })

  it('keeps what else comes with the access token (A-090)', async () => {
    expect((await signInOnTheWeb(provider)).tokens).toMatchObject({
      refreshToken: 'refresh-token-of-kakao',
      expiresInSeconds: 21599,
    })
  })

  it('says that Kakao cannot be asked when it cannot (A-278)', async () => {
    const code = await obtainCode(provider)
    kakao.misbehave('down')
    await expect(provider.exchangeCode(code)).rejects.toThrow(ProviderUnavailableError)
  })
})

describe('signing in with Kakao in an app', () => {
  const alone = { providerUserId: '1234567890', isEmailVerified: false }

  it('has no address without an access token, though the id token has one (A-301)', async () => {
    expect(await nativeSignIn()).toEqual(alone)
  })

  it('has the nickname of the id token (A-301)', async () => {
    expect(await nativeSignIn(undefined, { nickname: '라이언' })).toEqual({
      ...alone,
      name: '라이언',
    })
  })

  it.each([
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ])(
    'looks up whether the address is valid (%s) and verified (%s) (A-298)',
    async (valid, verified) => {
      const user = account({ is_email_valid: valid, is_email_verified: verified })
      expect(await nativeSignIn(kakao.accessTokenOf(user))).toMatchObject({
        email: 'ryan@example.com',
        isEmailVerified: valid && verified,
      })
    },
  )

  it('takes a token of another user, or of another application, for none (A-300)', async () => {
    const somebody = kakao.accessTokenOf({ ...kakaoUser, id: 1234567891 })
    expect(await nativeSignIn(somebody)).toEqual(alone)
  })

  it.each(oddIds)('takes a token of the user %.20s for none (A-300)', async (id) => {
    expect(await nativeSignIn(kakao.accessTokenOf({ ...kakaoUser, id }))).toEqual(alone)
  })

  it('takes a token that Kakao does not know for none (A-300)', async () => {
    expect(await nativeSignIn('unknown')).toEqual(alone)
  })

  it.each(['', 'two words', 'a\r\nhost: elsewhere', '라이언', 'a'.repeat(10_000)])(
    'takes what cannot be a token for none, without asking: %.10s (A-300)',
    async (accessToken) => {
      const lookUps = () => kakao.asked.filter(({ path }) => path === '/v2/user/me').length
      const before = lookUps()
      expect(await nativeSignIn(accessToken)).toEqual(alone)
      expect(lookUps()).toBe(before)
    },
  )

  it.each(['down', 'huge', 'redirecting'] as const)(
    'is as without a token when Kakao is %s (A-300)',
    async (how) => {
      await nativeSignIn()
      const accessToken = kakao.accessTokenOf(kakaoUser)
      kakao.misbehave(how)
      expect(await nativeSignIn(accessToken)).toEqual(alone)
    },
  )

  it('accepts the native app key and the REST API key, and no other (A-302)', async () => {
    for (const aud of ['native-app-key', kakao.env.SVC_AUTH_KAKAO_CLIENT_ID]) {
      expect(await nativeSignIn(undefined, { aud })).toEqual(alone)
    }
    await expect(nativeSignIn(undefined, { aud: 'of another app' })).rejects.toThrow(
      ProviderRefusalError,
    )
  })

  it('is the same user as on the web (A-302)', async () => {
    expect((await nativeSignIn())?.providerUserId).toBe((await signIn()).providerUserId)
  })

  it('is refused with another nonce or issuer, though the access token is right (A-298)', async () => {
    const accessToken = kakao.accessTokenOf(kakaoUser)
    for (const claims of [{ nonce: nonce.toUpperCase() }, { iss: 'https://kauth.kakao.com' }]) {
      await expect(nativeSignIn(accessToken, claims)).rejects.toThrow(ProviderRefusalError)
    }
  })

  it('is not there without a key of an app or of the web (A-296)', () => {
    expect(createKakaoProvider(needsFrom('kakao', {}))).not.toHaveProperty('verifyNativeIdToken')
  })
})

describe('when a user ends the consent at Kakao', () => {
  it('accepts a request with the admin key, and is answered with 200 (A-286)', async () => {
    const { headers, form } = kakao.unlinkNotice('1234567890', 'ACCOUNT_DELETE')
    const request = {
      method: 'POST' as const,
      headers: new Headers(headers),
      fields: new URLSearchParams(form),
      now: new Date(),
    }
    const told = { providerUserId: '1234567890', reason: 'ACCOUNT_DELETE' }
    expect(await provider.verifyUnlinkNotification?.(request)).toEqual(told)
    expect(await createKakaoProvider(needs).verifyUnlinkNotification?.(request)).toBeNull()
    expect(provider.unlinkNotifyAckStatus ?? 200).toBe(200)
  })
})
