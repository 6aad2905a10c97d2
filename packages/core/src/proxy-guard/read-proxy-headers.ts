import type { IncomingHttpHeaders } from 'node:http'
import { proxyHeaders, type SignedParts } from './signed-text.ts'

export interface SignedHeaders extends Omit<SignedParts, 'method' | 'target'> {
  readonly keyId: string
  readonly signature: string
}

// 32 bytes in base64url, without unused bits, which would give one signature a second spelling.
const sha256Form = /^[\w-]{42}[AEIMQUYcgkosw048]$/

const forms = {
  keyId: /^[\w-]{1,64}$/,
  timestamp: /^\d{13}$/,
  nonce: /^[\w-]{22}$/,
  bodyHash: sha256Form,
  signature: sha256Form,
}

/**
 * The headers of the web proxy, or null if one is missing or malformed, for example because it was
 * sent twice.
 */
export function readProxyHeaders(headers: IncomingHttpHeaders): SignedHeaders | null {
  const read = (name: keyof typeof proxyHeaders) => String(headers[proxyHeaders[name]] ?? '')
  const names = Object.keys(forms) as (keyof typeof forms)[]
  if (!names.every((name) => forms[name].test(read(name)))) return null
  return {
    keyId: read('keyId'),
    timestamp: read('timestamp'),
    nonce: read('nonce'),
    bodyHash: read('bodyHash'),
    signature: read('signature'),
    address: read('address'),
  }
}
