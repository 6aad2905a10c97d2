/** Gets the request as it will be sent; `body` is the exact text. */
export type SignRequest = (request: {
  method: string
  url: string
  body: string
}) => Promise<Record<string, string>>

export interface SigningKey {
  keyId: string
  algorithm: 'ES256' | 'RS256'
  privateKey: CryptoKey
}

interface SigningOptions {
  /** What the server calls itself: the `aud` of every token. The request's own origin unless set. */
  audience?: string
  /** Milliseconds to add to the local clock, learned from `GET /_core/time`. */
  clockOffsetMillis?: () => number
}

// The server takes up to 300 s. A minute covers slow networks and leaves a stolen token little life.
const lifeSeconds = 60

const signatureParameters = {
  ES256: { name: 'ECDSA', hash: 'SHA-256' },
  RS256: { name: 'RSASSA-PKCS1-v1_5' },
}

/** Signs each request with the device's own key: a JWT bound to its method, path, query and body. */
export function requestSigner(key: SigningKey, options: SigningOptions = {}): SignRequest {
  return async ({ method, url, body }) => {
    const { origin, pathname, search } = new URL(url)
    const now = Math.floor((Date.now() + (options.clockOffsetMillis?.() ?? 0)) / 1000)
    const token = await signToken(key, {
      keyId: key.keyId,
      iat: now,
      exp: now + lifeSeconds,
      jti: base64url(crypto.getRandomValues(new Uint8Array(16))),
      aud: options.audience ?? origin,
      htm: method,
      htu: `${pathname}${search}`,
      bh: base64url(await sha256(body)),
    })
    return { authorization: `Bearer ${token}` }
  }
}

async function signToken({ keyId, algorithm, privateKey }: SigningKey, payload: object) {
  const header = { alg: algorithm, typ: 'svc-req+jwt', kid: keyId }
  const signed = `${encodeJson(header)}.${encodeJson(payload)}`
  const parameters = signatureParameters[algorithm]
  const signature = await crypto.subtle.sign(parameters, privateKey, utf8(signed))
  return `${signed}.${base64url(new Uint8Array(signature))}`
}

async function sha256(text: string) {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(text)))
}

const utf8 = (text: string) => new TextEncoder().encode(text)

const encodeJson = (value: object) => base64url(utf8(JSON.stringify(value)))

function base64url(bytes: Uint8Array) {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
