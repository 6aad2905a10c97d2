import { type KeyObject, verify } from 'node:crypto'
import type { KeyAlgorithm } from './key-algorithm.ts'

/** What was signed, and with what. */
export interface Signed {
  /** What the signature claims to be by. The key's own algorithm decides. */
  readonly algorithm: KeyAlgorithm
  readonly signed: string
  readonly signature: Buffer
}

interface PublicKey {
  readonly key: KeyObject
  readonly algorithm: KeyAlgorithm
}

/**
 * Whether the key signed it. Of an ES256 signature (r, s) anybody can make (r, n − s), which verifies too: a replay is
 * known by its `jti`, never by its signature.
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
