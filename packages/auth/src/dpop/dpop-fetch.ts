import type { DeviceKey } from '../device-key/device-key.ts'
import { dpopProof } from './sign-dpop.ts'

export interface DpopFetchOptions {
  /** Sent along as `Authorization: DPoP …`; leave it out at the token endpoint. */
  accessToken?: string
}

/**
 * A `fetch` that signs each request with a proof by the key. It remembers the nonce of each server, and sends a request
 * that was refused for the lack of one again, once: give it a body that can be read twice, so no stream.
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

/** In the body of the token endpoint (RFC 9449, section 8), in the challenge of a resource (section 9). */
async function asksForNonce(answer: Response) {
  if (!answer.headers.has('dpop-nonce')) return false
  if (answer.status === 401) {
    return (answer.headers.get('www-authenticate') ?? '').includes('use_dpop_nonce')
  }
  return answer.status === 400 && (await answer.clone().text()).includes('"use_dpop_nonce"')
}
