import { type Jws, readJws } from './jws.ts'
import { keyIdPattern } from './key-id.ts'

/** A request JWT as it was sent: well formed, and not yet believed. */
export interface ParsedRequestJwt extends Omit<Jws, 'header'> {
  readonly keyId: string
}

/** Reads the request JWT of an `Authorization` header. Null, whatever is wrong with it: the answer must not tell. */
export function parseRequestJwt(
  authorization: string | readonly string[] | undefined,
): ParsedRequestJwt | null {
  const jws = readJws(bearerToken(authorization) ?? '')
  if (!jws || !isRequestHeader(jws.header)) return null
  const { header, ...read } = jws
  const keyId = sameKeyId(header.kid, read.claims.keyId)
  return keyId === null ? null : { ...read, keyId }
}

// Ours have 550 bytes with ES256 and 800 with RS256.
const longest = 8192
const scheme = 'bearer '

function bearerToken(authorization: string | readonly string[] | undefined) {
  const [value, second] =
    typeof authorization === 'string' ? [authorization] : (authorization ?? [])
  if (value === undefined || second !== undefined || value.length > longest) return null
  // Schemes are read without regard to case (RFC 9110, section 11.1).
  const isBearer = value.slice(0, scheme.length).toLowerCase() === scheme
  return isBearer ? value.slice(scheme.length) : null
}

/** A `jwk` would let the token say which key it wants. */
function isRequestHeader(header: Jws['header']) {
  return !('jwk' in header) && (header.typ === 'svc-req+jwt' || header.typ === 'JWT')
}

/** The key id of header and payload: one of them is enough, and both must be the same. */
function sameKeyId(kid: unknown, keyId: unknown) {
  if (kid !== undefined && keyId !== undefined && kid !== keyId) return null
  const id = kid ?? keyId
  return typeof id === 'string' && keyIdPattern.test(id) ? id : null
}
