import { createHmac, timingSafeEqual } from 'node:crypto'
import { hashBody, type RawContext } from '../request/request.ts'
import type { ProxySecret } from './env.ts'
import { readProxyHeaders, type SignedHeaders } from './read-proxy-headers.ts'
import { signedText } from './signed-text.ts'
import { SpentNonces, windowMillis } from './spent-nonces.ts'

/** Resolves to the headers of the web proxy, or to null if it has not signed the request. */
export type VerifyProxy = (c: RawContext) => Promise<SignedHeaders | null>

export function proxyVerifier(secrets: readonly ProxySecret[]): VerifyProxy {
  const secretOf = new Map(secrets.map(({ keyId, secret }) => [keyId, secret]))
  const nonces = new SpentNonces()
  return async (c) => {
    const given = readProxyHeaders(c.incoming.headers)
    const secret = given && secretOf.get(given.keyId)
    // The signature comes first: without one, the server doesn't read and hash a body.
    if (!secret || !isSigned(c, given, secret)) return null
    if (given.bodyHash !== (await hashBody(c)).toString('base64url')) return null
    // After the body, which may be slow: time and nonce are checked at once.
    const now = c.server.clock.now().getTime()
    if (Math.abs(now - Number(given.timestamp)) > windowMillis) return null
    return nonces.spend(given.nonce, now) ? given : null
  }
}

function isSigned(c: RawContext, given: SignedHeaders, secret: string) {
  const { method, target } = c.req
  const text = signedText({ ...given, method, target })
  const expected = createHmac('sha256', secret).update(text).digest()
  // In constant time: a comparison that stops early shows how much of a guess is right.
  return timingSafeEqual(expected, Buffer.from(given.signature, 'base64url'))
}
