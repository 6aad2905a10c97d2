import { parseJson } from '@svc/core'
import { isObject } from '../is-object.ts'
import { type KeyAlgorithm, keyIdPattern } from './contract.ts'
import type { Signed } from './verify-signature.ts'

/** A request JWT as it was sent: well formed, and not yet verified. */
export interface ParsedRequestJwt extends Omit<Jws, 'header'> {
  readonly keyId: string
}

/**
 * Reads the request JWT of an `Authorization` header. Null for any fault, because the response must
 * not tell which.
 */
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
  // Schemes are compared without regard to case (RFC 9110, section 11.1).
  const isBearer = value.slice(0, scheme.length).toLowerCase() === scheme
  return isBearer ? value.slice(scheme.length) : null
}

/** A `jwk` would let the token choose its own key. */
function isRequestHeader(header: Jws['header']) {
  return !('jwk' in header) && (header.typ === 'svc-req+jwt' || header.typ === 'JWT')
}

/** The key id of header and payload: one of them is enough, and both must be the same. */
function sameKeyId(kid: unknown, keyId: unknown) {
  if (kid !== undefined && keyId !== undefined && kid !== keyId) return null
  const id = kid ?? keyId
  return typeof id === 'string' && keyIdPattern.test(id) ? id : null
}

type Members = Readonly<Record<string, unknown>>

/** A JWS as it was sent: well formed, and not yet verified. */
export interface Jws extends Signed {
  readonly header: Members
  readonly claims: Members
}

/** Reads the compact form of a signed JWT (RFC 7515). Null for any fault. */
export function readJws(text: string): Jws | null {
  const parts = text.split('.', 4)
  if (parts.length !== 3) return null
  const [firstPart = '', payload = '', lastPart = ''] = parts
  const head = readHeader(firstPart)
  const signature = head && readSignature(lastPart, head.algorithm)
  const claims = signature && readMembers(payload)
  return claims && { ...head, signed: `${firstPart}.${payload}`, signature, claims }
}

// Each would let the token choose its own key, check or encoding (RFC 7515, 4.1; RFC 7797).
const refusedMembers = ['jku', 'x5u', 'x5c', 'crit', 'b64']

function readHeader(part: string) {
  const header = readMembers(part)
  if (!header || refusedMembers.some((name) => name in header)) return null
  const { alg } = header
  return alg === 'ES256' || alg === 'RS256' ? ({ header, algorithm: alg } as const) : null
}

function readSignature(part: string, algorithm: KeyAlgorithm) {
  const signature = decode(part)
  const length = signature?.length ?? 0
  // r and s of 32 bytes each, or as long as the modulus: 2048 to 4096 bits.
  const fits = algorithm === 'ES256' ? length === 64 : length >= 256 && length <= 512
  return fits ? signature : null
}

function readMembers(part: string): Members | null {
  const bytes = decode(part)
  const value = bytes && readJson(bytes)
  return isObject(value) ? value : null
}

function readJson(bytes: Buffer) {
  try {
    return parseJson(bytes)
  } catch {
    return null
  }
}

/**
 * Buffer skips padding, white space, stray bits and the other alphabet. Its own output has none of
 * them.
 */
function decode(part: string) {
  const bytes = Buffer.from(part, 'base64url')
  return bytes.toString('base64url') === part ? bytes : null
}
