import { createHash, createPublicKey, type KeyObject } from 'node:crypto'
import { HttpError } from '@svc/core/contract'
import type { KeyAlgorithm } from '../../crypto/contract.ts'
import { readPublicKey } from '../../crypto/crypto.ts'

/** The public key in a proof. The token that is bound to it tells whose key it is. */
interface ProofKey {
  readonly key: KeyObject
  readonly algorithm: KeyAlgorithm
  readonly thumbprint: string
  readonly fingerprint: string
}

/** Reads the public key of a proof by the rules for device keys. Null for any fault. */
export function readPublicJwk(jwk: unknown): ProofKey | null {
  const required = isPublic(jwk) ? requiredMembers(jwk) : null
  const key = required && importKey(required)
  if (!key || !hasOneSpelling(key, required)) return null
  const algorithm = required.kty === 'EC' ? 'ES256' : 'RS256'
  const fingerprint = readFingerprint(key, algorithm)
  if (fingerprint === null) return null
  return { key, algorithm, thumbprint: thumbprintOf(required), fingerprint }
}

// A client that sends its private key has disclosed it (RFC 9449, section 4.3).
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

function isPublic(jwk: unknown): jwk is Readonly<Record<string, unknown>> {
  if (typeof jwk !== 'object' || jwk === null) return false
  return !privateMembers.some((name) => name in jwk)
}

/** The members that define the key, in the order of its thumbprint (RFC 7638, section 3.2). */
function requiredMembers({ kty, crv, x, y, e, n }: Readonly<Record<string, unknown>>) {
  if (kty === 'EC' && crv === 'P-256') return textMembers({ crv, kty, x, y })
  return kty === 'RSA' ? textMembers({ e, kty, n }) : null
}

function textMembers(members: Record<string, unknown>) {
  const isText = Object.values(members).every((value) => typeof value === 'string')
  // Checked in the line above, which the compiler can't follow.
  return isText ? (members as Record<string, string>) : null
}

function importKey(jwk: Record<string, string>) {
  try {
    return createPublicKey({ key: jwk, format: 'jwk' })
  } catch {
    return null
  }
}

/** A leading zero, padding or stray bits would give one key several thumbprints. */
function hasOneSpelling(key: KeyObject, required: Record<string, string>) {
  const canonical: Record<string, unknown> = { ...key.export({ format: 'jwk' }) }
  return Object.entries(required).every(([name, value]) => canonical[name] === value)
}

function readFingerprint(key: KeyObject, algorithm: KeyAlgorithm) {
  const der = key.export({ format: 'der', type: 'spki' })
  const fingerprint = createHash('sha256').update(der).digest('hex')
  try {
    return readPublicKey({ publicKey: der.toString('base64'), algorithm, fingerprint }).fingerprint
  } catch (error) {
    if (error instanceof HttpError) return null
    throw error
  }
}

function thumbprintOf(required: Record<string, string>) {
  return createHash('sha256').update(JSON.stringify(required)).digest('base64url')
}
