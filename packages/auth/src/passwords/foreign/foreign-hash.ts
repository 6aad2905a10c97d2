import { timingSafeEqual } from 'node:crypto'
import type { HashProblem } from '../stored-hash.ts'

/** A hash that another system made: the digest it keeps, and how a password becomes one. */
export interface ForeignHash {
  readonly digest: Buffer
  readonly derive: (password: string) => Buffer
}

/** One family of stored texts. What it recognises is of its form; `read` says what of that it refuses. */
export interface ForeignScheme {
  readonly name: string
  readonly recognises: (stored: string) => boolean
  readonly read: (stored: string) => ForeignHash | HashProblem
}

export function matches({ digest, derive }: ForeignHash, password: string) {
  const derived = derive(password)
  return derived.length === digest.length && timingSafeEqual(derived, digest)
}

/**
 * A digest of few bytes could be matched by enough tries. A long one costs as much as many hashes.
 */
export function isUsualDigest({ length }: Buffer) {
  return length >= 16 && length <= 128
}
