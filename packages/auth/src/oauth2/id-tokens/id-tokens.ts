import { createHash } from 'node:crypto'
import { parseJson } from '@svc/core'
import { compactVerify, errors, type JWTPayload, SignJWT } from 'jose'
import { isObject } from '../../is-object.ts'
import type { IdTokenAlgorithm, SigningKey, SigningKeys } from './signing-keys.ts'

export {
  type IdTokenAlgorithm,
  readSigningKeys,
  type SigningKey,
  type SigningKeys,
} from './signing-keys.ts'

/** Null if no key has the algorithm. */
export function keyFor(keys: SigningKeys, algorithm?: IdTokenAlgorithm): SigningKey | null {
  return algorithm ? (keys.find((key) => key.algorithm === algorithm) ?? null) : keys[0]
}

/** A statement of this server that an application can check without asking. */
export function signIdToken(key: SigningKey, claims: JWTPayload) {
  return signed(key, claims)
}

/** The same, of a type of its own: neither can be mistaken for the other. */
export function signLogoutToken(key: SigningKey, claims: JWTPayload) {
  return signed(key, claims, 'logout+jwt')
}

/** An access token that a resource server can check without asking (RFC 9068). It has a type of its own as well. */
export function signAccessToken(key: SigningKey, claims: JWTPayload) {
  return signed(key, claims, 'at+jwt')
}

function signed({ algorithm: alg, kid, privateKey }: SigningKey, claims: JWTPayload, typ?: string) {
  return new SignJWT(claims).setProtectedHeader({ alg, kid, ...(typ && { typ }) }).sign(privateKey)
}

/** Ties an id token to the access token beside it (OpenID Connect Core, section 3.1.3.6). */
export function leftHalfOf(accessToken: string) {
  return createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url')
}

/** Who an id token of this server is about, and the application that got it. */
export interface Hint {
  readonly sub: string
  readonly aud: string
}

/**
 * Reads an id token that an application sends back to say whom it means. It may have expired, because it doesn't sign
 * the user in. Null if this server hasn't signed it.
 */
export async function readHint(
  keys: SigningKeys,
  { issuer, token }: { issuer: string; token: string },
): Promise<Hint | null> {
  const claims = await verifiedClaims(keys, token)
  const { iss, sub, aud } = claims ?? {}
  const isWhole = iss === issuer && typeof sub === 'string' && typeof aud === 'string'
  return isWhole ? { sub, aud } : null
}

async function verifiedClaims(keys: SigningKeys, token: string) {
  try {
    const { payload } = await compactVerify(
      token,
      ({ kid, alg, typ }) => {
        const key = keys.find((each) => each.kid === kid && each.algorithm === alg)
        if (!key || typ !== undefined) throw new errors.JWKSNoMatchingKey()
        return key.publicKey
      },
      { algorithms: ['ES256', 'RS256'] },
    )
    const claims = parseJson(payload)
    return isObject(claims) ? claims : null
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}
