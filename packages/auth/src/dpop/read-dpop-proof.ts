import type { RawContext } from '@svc/core'
import type { Needs } from '../auth.ts'
import type { Configured } from '../authorization-server/configured.ts'
import { OAuth2Error } from '../authorization-server/errors.ts'
import { readJws } from '../crypto/jws.ts'
import { verifySignature } from '../crypto/verify-signature.ts'
import { spendId } from '../once/spend-id.ts'
import { checkProofClaims } from './check-proof-claims.ts'
import { requireNonce } from './nonce.ts'
import { readPublicJwk } from './read-public-jwk.ts'

/** The key that has signed a proof for this request (RFC 9449). */
export interface DpopKey {
  /** RFC 7638, base64url: what tokens are bound to. */
  readonly thumbprint: string
  /** SHA-256 of the key's SPKI in lowercase hex: what a device key is known by. */
  readonly fingerprint: string
}

/** Null where the request has no proof; a proof that does not hold is refused. `token` is the access token it comes with. */
export async function readDpopProof(
  auth: Needs<'db' | 'cache' | 'clock' | 'env'> & Configured,
  raw: RawContext,
  { token }: { token?: string } = {},
): Promise<DpopKey | null> {
  const headers = raw.incoming.headersDistinct.dpop
  if (headers === undefined) return null
  const jws = readProof(headers)
  const spendable = jws && checkProofClaims(jws.claims, { auth, raw, token })
  const key = spendable && readPublicJwk(jws.header.jwk)
  if (!key || !verifySignature(jws, key)) throw refusal()
  requireNonce(auth, raw, jws.claims.nonce)
  const { thumbprint, fingerprint } = key
  const { jti, ...life } = spendable
  // Last: whoever sends what does not hold must not spend what does.
  const isFirst = await spendId(auth, { id: `dpop:${thumbprint}:${jti}`, ...life })
  if (!isFirst) throw refusal()
  return { thumbprint, fingerprint }
}

// With RSA of 4096 bits one has 1,900 bytes.
const longest = 8192

function readProof([proof = '', ...others]: readonly string[]) {
  const jws = others.length === 0 && proof.length <= longest ? readJws(proof) : null
  return jws?.header.typ === 'dpop+jwt' ? jws : null
}

/** One for all: it must not tell which keys or tokens there are. */
function refusal() {
  return new OAuth2Error({ error: 'invalid_dpop_proof' })
}
