import { timingSafeEqual } from 'node:crypto'
import type { HashProblem } from '../stored-hash.ts'

/** A hash that another system made: its stored digest, and how to compute it from a password. */
export interface ForeignHash {
  readonly digest: Buffer
  readonly derive: (password: string) => Buffer
}

/**
 * One family of stored texts. It recognises texts by their form; `read` says which of those it
 * refuses.
 */
export interface ForeignScheme {
  readonly name: string
  readonly recognises: (stored: string) => boolean
  readonly read: (stored: string) => ForeignHash | HashProblem
}

export function matches({ digest, derive }: ForeignHash, password: string) {
  const derived = derive(password)
  return derived.length === digest.length && timingSafeEqual(derived, digest)
}

/** A short digest could be matched by enough tries. A long one costs as much as many hashes. */
export function isUsualDigest({ length }: Buffer) {
  return length >= 16 && length <= 128
}
