// The default import: Node 22 has no argon2Sync, and a named import of it would not load there.
import crypto from 'node:crypto'
import type { Argon2Cost, HashProblem } from './stored-hash.ts'

export type Argon2Kind = 'argon2id' | 'argon2i' | 'argon2d'

interface Argon2Input extends Argon2Cost {
  message: string
  nonce: Buffer
  tagLength: number
}

const mostMemory = 256 * 1024
/** Each lane is a thread, and thousands can't be started. Django has eight. */
const mostLanes = 64
/** A pass starts four threads for each lane, at 50 µs each: as long as this many KiB take. */
const laneKibibytes = 128
/**
 * KiB times passes, 1.9 µs each: two seconds of a core. libsodium's `MODERATE` is three quarters of
 * it.
 */
const mostWork = 2 ** 20

/** Node has all variants of it since 24.7. */
export const hasArgon2 = typeof crypto.argon2Sync === 'function'

/** Why a hash of this cost is not derived here; null if it is. */
export function argon2Problem(cost: Argon2Cost): HashProblem | null {
  if (!isValid(cost)) return 'hash_malformed'
  if (isTooCostly(cost)) return 'hash_too_costly'
  return hasArgon2 ? null : 'hash_needs_newer_node'
}

/** RFC 9106, 3.1: at least 8 KiB for each lane. */
function isValid({ memory, passes, parallelism }: Argon2Cost) {
  return passes >= 1 && parallelism >= 1 && memory >= 8 * parallelism
}

function isTooCostly({ memory, passes, parallelism }: Argon2Cost) {
  const work = passes * (memory + laneKibibytes * parallelism)
  return memory > mostMemory || parallelism > mostLanes || work > mostWork
}

export function argon2(kind: Argon2Kind, input: Argon2Input) {
  return crypto.argon2Sync(kind, input)
}
