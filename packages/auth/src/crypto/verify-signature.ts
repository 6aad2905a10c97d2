import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { KeyAlgorithm } from './contract.ts'

/** What was signed, and with which algorithm. */
export interface Signed {
  /** The algorithm that the signature claims. The key's own algorithm decides. */
  readonly algorithm: KeyAlgorithm
  readonly signed: string
  readonly signature: Buffer
}

interface PublicKey {
  readonly key: KeyObject
  readonly algorithm: KeyAlgorithm
}

/**
 * Whether the key signed it. From an ES256 signature (r, s), an attacker can make (r, n − s), which
 * is valid too. So a replay is known by its `jti`, never by its signature.
 */
export function verifySignature(
  { algorithm: claimed, signed, signature }: Signed,
  { key, algorithm }: PublicKey,
) {
  if (claimed !== algorithm) return false
  // Without a dsaEncoding, ECDSA would be read as DER.
  const check = algorithm === 'ES256' ? { key, dsaEncoding: 'ieee-p1363' as const } : key
  return verify('sha256', Buffer.from(signed, 'latin1'), check, signature)
}

// A parsed key takes 2 to 5 kB, nearly all of it outside the heap: at most 25 MB in all.
const initialLimit = 5_000

export type PublicKeys = ReturnType<typeof createPublicKeyCache>

/**
 * Parses a device's public key, and caches those that were used lately, because parsing costs more
 * than finding the key.
 */
export function createPublicKeyCache({ limit = initialLimit }: { limit?: number } = {}) {
  let recent = new Map<string, KeyObject>()
  let earlier = new Map<string, KeyObject>()

  // Two generations instead of a list by use: a key in use moves to the new one, and the rest are
  // dropped together.
  return (publicKey: string): KeyObject => {
    const known = recent.get(publicKey)
    if (known) return known
    const key = earlier.get(publicKey) ?? parse(publicKey)
    if (recent.size >= limit / 2) {
      earlier = recent
      recent = new Map()
    }
    recent.set(publicKey, key)
    return key
  }
}

function parse(publicKey: string) {
  return createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
}
