import { hasArgon2id } from './argon2id.ts'
import type { HashProblem } from './foreign/foreign-hash.ts'
import { readForeignHash } from './foreign/read-foreign-hash.ts'
import { parseOwnHash } from './stored-hash.ts'

/** Why nobody could sign in with a stored hash on this server; null where they can. */
export function storedHashProblem(stored: string): HashProblem | null {
  const own = parseOwnHash(stored)
  if (own) return own.scheme === 'argon2id' && !hasArgon2id ? 'hash_needs_newer_node' : null
  const foreign = readForeignHash(stored)
  return typeof foreign === 'string' ? foreign : null
}
