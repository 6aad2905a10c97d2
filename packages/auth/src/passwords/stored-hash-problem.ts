import { argon2Problem } from './argon2.ts'
import { readForeignHash } from './foreign/read-foreign-hash.ts'
import type { HashProblem } from './hash-problem.ts'
import { parseOwnHash } from './stored-hash.ts'

/** Why nobody could sign in with a stored hash on this server; null where they can. */
export function storedHashProblem(stored: string): HashProblem | null {
  const own = parseOwnHash(stored)
  if (own) return own.scheme === 'argon2id' ? argon2Problem(own) : null
  const foreign = readForeignHash(stored)
  return typeof foreign === 'string' ? foreign : null
}
