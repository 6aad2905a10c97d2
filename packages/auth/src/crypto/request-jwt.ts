import { type KeyObject, verify } from 'node:crypto'
import { parseJson } from '@svc/core'
import { keyIdPattern } from './key-id.ts'
import type { KeyAlgorithm } from './spki.ts'

/** A request JWT as it was sent: well formed, and not yet believed. */
export interface ParsedRequestJwt {
  readonly keyId: string
  /** What the header claims. The key's own algorithm decides. */
  readonly algorithm: KeyAlgorithm
  /** Header and payload as they were signed. */
  readonly signed: string
  readonly signature: Buffer
  readonly claims: Members
}

type Members = Readonly<Record<string, unknown>>

/** Reads the request JWT of an `Authorization` header. Null, whatever is wrong with it: the answer must not tell. */
export function parseRequestJwt(
  authorization: string | readonly string[] | undefined,
): ParsedRequestJwt | null {
  const parts = bearerToken(authorization)?.split('.', 4)
  if (parts?.length !== 3) return null
  const [header = '', payload = '', lastPart = ''] = parts
  const head = readHeader(header)
  const signature = head && readSignature(lastPart, head.algorithm)
  const claims = signature && readMembers(payload)
  const keyId = claims && sameKeyId(head.kid, claims.keyId)
  if (!keyId) return null
  return { keyId, algorithm: head.algorithm, signed: `${header}.${payload}`, signature, claims }
}

// Ours have 550 bytes with ES256 and 800 with RS256.
const longest = 8192
const scheme = 'Bearer '

function bearerToken(authorization: string | readonly string[] | undefined) {
  const [value, second] =
    typeof authorization === 'string' ? [authorization] : (authorization ?? [])
  if (value === undefined || second !== undefined || value.length > longest) return null
  return value.startsWith(scheme) ? value.slice(scheme.length) : null
}

// Each would let the token say which key, which check or which encoding it wants (RFC 7515, 4.1; RFC 7797).
const refusedMembers = ['jwk', 'jku', 'x5u', 'x5c', 'crit', 'b64']

function readHeader(part: string) {
  const header = readMembers(part)
  if (!header || refusedMembers.some((name) => name in header)) return null
  const { alg, typ, kid } = header
  if (typ !== 'svc-req+jwt' && typ !== 'JWT') return null
  if (alg !== 'ES256' && alg !== 'RS256') return null
  return { algorithm: alg, kid } as const
}

function readSignature(part: string, algorithm: KeyAlgorithm) {
  const signature = decode(part)
  const length = signature?.length ?? 0
  // r and s of 32 bytes each, or as long as the modulus: 2048 to 4096 bits.
  const fits = algorithm === 'ES256' ? length === 64 : length >= 256 && length <= 512
  return fits ? signature : null
}

/** The key id of header and payload: one of them is enough, and both must be the same. */
function sameKeyId(kid: unknown, keyId: unknown) {
  if (kid !== undefined && keyId !== undefined && kid !== keyId) return null
  const id = kid ?? keyId
  return typeof id === 'string' && keyIdPattern.test(id) ? id : null
}

function readMembers(part: string): Members | null {
  const bytes = decode(part)
  const value = bytes && readJson(bytes)
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  // Checked in the line above; the compiler does not follow.
  return isObject ? (value as Members) : null
}

function readJson(bytes: Buffer) {
  try {
    return parseJson(bytes)
  } catch {
    return null
  }
}

/** Buffer skips padding, white space, stray bits and the other alphabet. What it wrote itself has none of them. */
function decode(part: string) {
  const bytes = Buffer.from(part, 'base64url')
  return bytes.toString('base64url') === part ? bytes : null
}

interface StoredKey {
  readonly key: KeyObject
  readonly algorithm: KeyAlgorithm
}

/**
 * Whether the key signed the token. Of an ES256 signature (r, s) anybody can make (r, n − s), which verifies too:
 * a replay is known by its `jti`, never by its signature.
 */
export function verifySignature(jwt: ParsedRequestJwt, { key, algorithm }: StoredKey) {
  if (jwt.algorithm !== algorithm) return false
  // Without a dsaEncoding, ECDSA would be read as DER.
  const check = algorithm === 'ES256' ? { key, dsaEncoding: 'ieee-p1363' as const } : key
  return verify('sha256', Buffer.from(jwt.signed, 'latin1'), check, jwt.signature)
}
