import { type DeviceKey, keyParameters } from '../device-key/device-key.ts'

/** A request that a proof is for. */
export interface DpopRequest {
  method: string
  url: string
  /** The access token that goes with it; none at the token endpoint. */
  token?: string
  /** The newest `DPoP-Nonce` that the server has answered, where it asks for one. */
  nonce?: string
  /** The server's time as far as it is known; the local clock's unless set. */
  nowMillis?: number
}

/** The `DPoP` header of one request (RFC 9449): tokens that are asked for with it are good with this key alone. */
export async function dpopProof(
  { algorithm, privateKey, registration }: DeviceKey,
  { method, url, token, nonce, nowMillis = Date.now() }: DpopRequest,
) {
  const { origin, pathname } = new URL(url, globalThis.location?.href)
  const header = { typ: 'dpop+jwt', alg: algorithm, jwk: await publicJwk(registration) }
  const claims = {
    jti: crypto.randomUUID(),
    htm: method,
    htu: `${origin}${pathname}`,
    iat: Math.floor(nowMillis / 1000),
    ...(token !== undefined && { ath: base64url(await sha256(token)) }),
    ...(nonce !== undefined && { nonce }),
  }
  const signed = `${encodeJson(header)}.${encodeJson(claims)}`
  const parameters = { ...keyParameters[algorithm], hash: 'SHA-256' }
  const signature = await crypto.subtle.sign(parameters, privateKey, utf8(signed))
  return `${signed}.${base64url(signature)}`
}

/** Of the public key that was registered: the private one cannot be read out. */
async function publicJwk({ publicKey, algorithm }: DeviceKey['registration']) {
  const spki = Uint8Array.from(atob(publicKey), (character) => character.charCodeAt(0))
  const parameters = keyParameters[algorithm]
  const key = await crypto.subtle.importKey('spki', spki, parameters, true, ['verify'])
  const { kty, crv, x, y, n, e } = await crypto.subtle.exportKey('jwk', key)
  return { kty, crv, x, y, n, e }
}

const utf8 = (text: string) => new TextEncoder().encode(text)

const sha256 = (text: string) => crypto.subtle.digest('SHA-256', utf8(text))

const encodeJson = (value: object) => base64url(utf8(JSON.stringify(value)))

function base64url(bytes: ArrayBuffer | Uint8Array) {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
