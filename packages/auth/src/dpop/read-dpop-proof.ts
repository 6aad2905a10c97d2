import type { RawContext } from '@svc/core'
import type { Auth } from '../auth.ts'

/** The key that has signed a proof for this request (RFC 9449). */
export interface DpopKey {
  /** RFC 7638, base64url: what tokens are bound to. */
  readonly thumbprint: string
  /** SHA-256 of the key's SPKI in lowercase hex: what a device key is known by. */
  readonly fingerprint: string
}

/** Null where the request has no proof; a proof that does not hold is refused. `token` is the access token it comes with. */
export async function readDpopProof(
  _auth: Auth,
  _raw: RawContext,
  _given: { token?: string } = {},
): Promise<DpopKey | null> {
  return null
}
