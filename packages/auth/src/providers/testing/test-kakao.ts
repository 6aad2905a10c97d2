import type { JWTPayload } from 'jose'
import { startCodeFlow } from './test-code-flow.ts'
import { type Asked, startProviderServer, type TestAnswer } from './test-provider-server.ts'
import { createSigningKey } from './test-signing-key.ts'

/** What `/v2/user/me` tells. */
export interface KakaoUser {
  readonly id: unknown
  readonly kakao_account?: Record<string, unknown>
}

export const kakaoUser: KakaoUser = {
  id: 1234567890,
  kakao_account: {
    profile: { nickname: '라이언' },
    has_email: true,
    email_needs_agreement: false,
    is_email_valid: true,
    is_email_verified: true,
    email: 'ryan@example.com',
  },
}

const client = { clientId: 'rest-api-key', nativeAppKey: 'native-app-key' }
const adminKey = 'admin-key-of-kakao'

/**
 * Kakao as its documentation shows it.
 * https://developers.kakao.com/docs/latest/en/kakaologin/rest-api
 */
export async function startTestKakao({ clientSecret = null as string | null } = {}) {
  const flow = startCodeFlow<KakaoUser>(
    {
      clientId: client.clientId,
      clientSecret,
      takesPkce: true,
      tokens: () => ({
        refresh_token: 'refresh-token-of-kakao',
        expires_in: 21599,
        refresh_token_expires_in: 5183999,
        scope: 'account_email',
      }),
      refusal: (error) => ({ status: error === 'invalid_client' ? 401 : 400, json: { error } }),
    },
    kakaoUser,
  )
  const key = await createSigningKey()

  const server = await startProviderServer((asked) => {
    const answer = answers[`${asked.method} ${asked.path}`]
    return answer?.(asked) ?? { status: 404, json: { code: -404 } }
  })

  const answers: Record<string, (asked: Asked) => TestAnswer> = {
    'GET /oauth/authorize': flow.authorize,
    'POST /oauth/token': flow.token,
    'GET /.well-known/jwks.json': () => ({ json: key.keySet }),
    'GET /v2/user/me': (asked) => {
      const user = flow.userOf(asked)
      if (user) return { json: user }
      return { status: 401, json: { msg: 'this access token does not exist', code: -401 } }
    },
  }

  return {
    env: {
      SVC_AUTH_KAKAO_CLIENT_ID: client.clientId,
      ...(clientSecret === null ? {} : { SVC_AUTH_KAKAO_CLIENT_SECRET: clientSecret }),
      SVC_AUTH_KAKAO_NATIVE_CLIENT_IDS: client.nativeAppKey,
      SVC_AUTH_KAKAO_ADMIN_KEY: adminKey,
      SVC_AUTH_KAKAO_ISSUER: server.origin,
      SVC_AUTH_KAKAO_AUTHORIZATION_ENDPOINT: `${server.origin}/oauth/authorize`,
      SVC_AUTH_KAKAO_TOKEN_ENDPOINT: `${server.origin}/oauth/token`,
      SVC_AUTH_KAKAO_JWKS_URI: `${server.origin}/.well-known/jwks.json`,
      SVC_AUTH_KAKAO_USERINFO_ENDPOINT: `${server.origin}/v2/user/me`,
    },
    asked: server.asked,
    setUser: flow.setUser,
    setConsent: flow.setConsent,
    misbehave: server.misbehave,
    stop: server.stop,
    /** What an app has from the SDK: for the native app key, unless the claims say otherwise. */
    idToken(claims: JWTPayload & { nonce: string }, now = new Date()) {
      const iat = Math.floor(now.getTime() / 1000)
      const standard = { iss: server.origin, aud: client.nativeAppKey, sub: '1234567890' }
      return key.sign({ ...standard, iat, exp: iat + 3600, email: 'ryan@example.com', ...claims })
    },
    accessTokenOf: flow.accessTokenOf,
    /** What is sent when a user ends the consent. */
    unlinkNotice: (userId: string, reason = 'UNLINK_FROM_APPS') => ({
      headers: { authorization: `KakaoAK ${adminKey}` },
      form: { app_id: '123456', user_id: userId, referrer_type: reason },
    }),
  }
}
