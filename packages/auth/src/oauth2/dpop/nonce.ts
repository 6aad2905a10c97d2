import type { RawContext } from '@svc/core'
import type { Needs } from '../../auth.ts'
import { deriveKey, equal, keyedHash } from '../../crypto/crypto.ts'
import { OAuth2Error } from '../errors.ts'

// A nonce is valid while it is the newest one and for as long again: two to four minutes.
const stepMillis = 120_000
// How far the clocks of two instances may differ before one of them is not ready.
const skewMillis = 30_000

type Given = Needs<'env' | 'clock'>

/**
 * If the server requires nonces, a proof must have one of its latest (RFC 9449, sections 8 and 9).
 * So an attacker who had the key for a moment can't use proofs that they signed in advance. An
 * older one is still accepted, and the response has the newest, so that a client which keeps
 * calling is never refused.
 */
export function requireNonce(auth: Given, raw: RawContext, nonce: unknown) {
  if (!auth.env.SVC_AUTH_DPOP_NONCE) return
  const now = auth.clock.now().getTime()
  const newest = nonceAt(auth, now)
  if (isOneOf([newest], nonce)) return
  tellNonce(raw, newest)
  const others = [nonceAt(auth, now - stepMillis), nonceAt(auth, now + skewMillis)]
  if (isOneOf(others, nonce)) return
  const message = 'Sign the proof again with the nonce of the header DPoP-Nonce.'
  throw new OAuth2Error({ error: 'use_dpop_nonce', message })
}

/**
 * Nothing is stored: every instance with the same secret computes the same nonce at the same time.
 */
function nonceAt({ env }: Pick<Given, 'env'>, millis: number) {
  const key = deriveKey(env.SVC_AUTH_VERIFICATION_TOKEN_SECRET, 'DPoP nonces')
  return keyedHash(key, String(Math.floor(millis / stepMillis)))
}

function isOneOf(nonces: string[], given: unknown) {
  return typeof given === 'string' && nonces.some((nonce) => equal(nonce, given))
}

function tellNonce(raw: RawContext, nonce: string) {
  raw.header('dpop-nonce', nonce)
  // A cache must not serve an old one (RFC 9449, section 8.2).
  raw.header('cache-control', 'no-store')
}
