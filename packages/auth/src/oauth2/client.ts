import { type DeviceKey, keyParameters } from '../device-key/device-key.ts'

/** The request that a proof is for. */
export interface DpopRequest {
  method: string
  url: string
  /** The access token of the request; none at the token endpoint. */
  token?: string
  /** The latest `DPoP-Nonce` of the server, if it requires one. */
  nonce?: string
  /** The server's time if you know it; the local clock's unless set. */
  nowMillis?: number
}

/**
 * The `DPoP` header of one request (RFC 9449): tokens that are requested with it are valid with
 * this key only.
 */
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

/** From the registered public key, because the private one can't be exported. */
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

/** For `dpopFetch`: the access token that its requests present. */
export interface DpopFetchOptions {
  /** Sent as `Authorization: DPoP …`; leave it out at the token endpoint. */
  accessToken?: string
}

/**
 * A `fetch` that signs each request with a proof by the key. It remembers the nonce of each server,
 * and retries once a request that was refused because it had none. So give it a body that can be
 * read twice, not a stream.
 */
export function dpopFetch(key: DeviceKey, { accessToken }: DpopFetchOptions = {}) {
  const nonces = new Map<string, string>()

  async function sendOnce(address: string | URL, init: RequestInit) {
    const url = new URL(address, globalThis.location?.href)
    const nonce = nonces.get(url.origin)
    const headers = new Headers(init.headers)
    const dpop = await dpopProof(key, {
      method: (init.method ?? 'GET').toUpperCase(),
      url: url.href,
      ...(accessToken !== undefined && { token: accessToken }),
      ...(nonce !== undefined && { nonce }),
    })
    headers.set('dpop', dpop)
    if (accessToken !== undefined) headers.set('authorization', `DPoP ${accessToken}`)
    const answer = await fetch(url, { ...init, headers })
    const newest = answer.headers.get('dpop-nonce')
    if (newest !== null) nonces.set(url.origin, newest)
    return answer
  }

  return async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const answer = await sendOnce(url, init)
    if (!(await asksForNonce(answer))) return answer
    await answer.body?.cancel()
    return sendOnce(url, init)
  }
}

/**
 * The token endpoint says it in the body (RFC 9449, section 8), a resource in the challenge
 * (section 9).
 */
async function asksForNonce(answer: Response) {
  if (!answer.headers.has('dpop-nonce')) return false
  if (answer.status === 401) {
    return (answer.headers.get('www-authenticate') ?? '').includes('use_dpop_nonce')
  }
  return answer.status === 400 && (await answer.clone().text()).includes('"use_dpop_nonce"')
}
