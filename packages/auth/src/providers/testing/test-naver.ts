import { createCipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { startCodeFlow } from './test-code-flow.ts'
import { type Asked, startProviderServer, type TestAnswer } from './test-provider-server.ts'
import { createSigningKey } from './test-signing-key.ts'

/** What `/v1/nid/me` tells in `response`. */
interface NaverUser {
  readonly id: unknown
  readonly email?: unknown
  readonly name?: string
  readonly nickname?: string
  /** Anything but `00` is a failure. */
  readonly resultcode?: string
}

export const naverUser: NaverUser = {
  id: 'abcdefgABCDEFG1234567',
  email: 'naveridlogin@naver.com',
  name: '네이버',
  nickname: '네이버닉네임',
}

const client = { clientId: 'jyvqXeaVOVmV', clientSecret: '527300A0COq1XV33cf' }

/**
 * Naver as its documentation shows it.
 * https://developers.naver.com/docs/login/devguide/devguide.md
 */
export async function startTestNaver() {
  const flow = startCodeFlow<NaverUser>(
    {
      ...client,
      takesPkce: false,
      // Naver writes the number as text.
      tokens: () => ({ refresh_token: 'refresh-token-of-naver', expires_in: '3600' }),
      refusal: (error) => ({ json: { error, error_description: 'refused' } }),
    },
    naverUser,
  )
  const key = await createSigningKey()

  const server = await startProviderServer((asked) => {
    const answer = answers[`${asked.method} ${asked.path}`]
    return answer?.(asked) ?? { status: 404, json: { resultcode: '404' } }
  })

  const answers: Record<string, (asked: Asked) => TestAnswer> = {
    'GET /oauth2.0/authorize': flow.authorize,
    'POST /oauth2.0/token': (asked) =>
      asked.form.get('state') ? flow.token(asked) : { json: { error: 'invalid_request' } },
    'GET /oauth2/jwks': () => ({ json: key.keySet }),
    'GET /v1/nid/me': (asked) => {
      const user = flow.userOf(asked)
      if (!user)
        return { status: 401, json: { resultcode: '024', message: 'Authentication failed' } }
      const { resultcode = '00', ...response } = user
      return { json: { resultcode, message: 'success', response } }
    },
  }

  return {
    env: {
      SVC_AUTH_NAVER_CLIENT_ID: client.clientId,
      SVC_AUTH_NAVER_CLIENT_SECRET: client.clientSecret,
      SVC_AUTH_NAVER_ISSUER: server.origin,
      SVC_AUTH_NAVER_AUTHORIZATION_ENDPOINT: `${server.origin}/oauth2.0/authorize`,
      SVC_AUTH_NAVER_TOKEN_ENDPOINT: `${server.origin}/oauth2.0/token`,
      SVC_AUTH_NAVER_JWKS_URI: `${server.origin}/oauth2/jwks`,
      SVC_AUTH_NAVER_USERINFO_ENDPOINT: `${server.origin}/v1/nid/me`,
    },
    asked: server.asked,
    setUser: flow.setUser,
    setConsent: flow.setConsent,
    misbehave: server.misbehave,
    stop: server.stop,
    /** What an app has from a browser flow of its own: without any claim of the profile. */
    idToken(claims: JWTPayload & { nonce: string }, now = new Date()) {
      const iat = Math.floor(now.getTime() / 1000)
      const standard = { iss: server.origin, aud: client.clientId, sub: String(naverUser.id) }
      return key.sign({ ...standard, iat, exp: iat + 3600, ...claims })
    },
    accessTokenOf: flow.accessTokenOf,
    unlinkNotice: (uniqueId: string, now = new Date()) => signNaverUnlink(client, uniqueId, now),
  }
}

export function signNaverUnlink(
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
  uniqueId: string,
  now: Date,
) {
  return signNaverFields(clientSecret, {
    clientId,
    encryptUniqueId: encryptNaverId(clientSecret, uniqueId),
    timestamp: String(Math.floor(now.getTime() / 1000)),
  })
}

interface UnsignedFields {
  clientId: string
  encryptUniqueId: string
  timestamp: string
}

export function signNaverFields(clientSecret: string, fields: UnsignedFields) {
  const { clientId, encryptUniqueId, timestamp } = fields
  const signature = createHmac('sha256', keyOf(clientSecret))
    .update(`clientId=${clientId}&encryptUniqueId=${encryptUniqueId}&timestamp=${timestamp}`)
    .digest('base64url')
  return { form: { ...fields, signature } }
}

export function encryptNaverId(clientSecret: string, uniqueId: string) {
  const vector = randomBytes(16)
  const cipher = createCipheriv('aes-128-cbc', keyOf(clientSecret), vector)
  return Buffer.concat([vector, cipher.update(uniqueId), cipher.final()]).toString('base64url')
}

const keyOf = (clientSecret: string) => createHash('md5').update(clientSecret).digest()
