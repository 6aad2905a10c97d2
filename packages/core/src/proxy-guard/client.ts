import { base64url, bodyHash, type RequestToSign, readUrl, utf8 } from '../call/call.ts'
import type { ProxySecret } from './env.ts'
import { proxyHeaders, signedText } from './signed-text.ts'

/**
 * Resolves to the headers by which the API recognises the web proxy, and the address that the proxy
 * vouches for.
 */
export type SignAsProxy = (
  request: RequestToSign,
  address?: string,
) => Promise<Record<string, string>>

/** What may be an address, and is safe in a header. The API checks whether it is one. */
const addressForm = /^[\dA-Fa-f.:]{2,45}$/

const hmac = { name: 'HMAC', hash: 'SHA-256' }

/** Signs requests as the web proxy. A text that can't be an address is left out. */
export function proxySigner({ keyId, secret }: ProxySecret): SignAsProxy {
  const key = crypto.subtle.importKey('raw', utf8(secret), hmac, false, ['sign'])
  return async ({ method, url, body = '', nowMillis = Date.now() }, address = '') => {
    const parts = {
      method,
      target: readUrl(url).target,
      timestamp: String(nowMillis),
      nonce: base64url(crypto.getRandomValues(new Uint8Array(16))),
      bodyHash: await bodyHash(body),
      address: addressForm.test(address) ? address : '',
    }
    const signature = await crypto.subtle.sign('HMAC', await key, utf8(signedText(parts)))
    return {
      [proxyHeaders.keyId]: keyId,
      [proxyHeaders.timestamp]: parts.timestamp,
      [proxyHeaders.nonce]: parts.nonce,
      [proxyHeaders.bodyHash]: parts.bodyHash,
      [proxyHeaders.signature]: base64url(new Uint8Array(signature)),
      ...(parts.address && { [proxyHeaders.address]: parts.address }),
    }
  }
}
