import { requestSigner, type SigningKey } from '../call/sign-request.ts'

/** A key pair as a device makes one. */
export async function createSigningKey(keyId = `key-${crypto.randomUUID()}`) {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, [
    'sign',
    'verify',
  ])
  return { keyId, algorithm: 'ES256' as const, ...pair }
}

/** A fetch whose requests are signed by a device's key, for bodies of text: of a path of the server, or an address. */
export function signedFetch(
  key: SigningKey,
  baseUrl = '',
  nowMillis: () => number = Date.now,
): typeof fetch {
  const sign = requestSigner(key)
  return async (input, init = {}) => {
    const given = input instanceof Request ? input.url : String(input)
    const url = given.startsWith('/') ? `${baseUrl}${given}` : given
    const method = init.method ?? 'GET'
    const body = typeof init.body === 'string' ? init.body : ''
    const headers = new Headers(init.headers)
    const signed = await sign({ method, url, body, nowMillis: nowMillis() })
    for (const [name, value] of Object.entries(signed)) headers.set(name, value)
    return fetch(url, { ...init, headers })
  }
}
