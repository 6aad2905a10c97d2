import type { HashProblem } from '../stored-hash.ts'
import { argon2Scheme } from './argon2.ts'
import { bcryptScheme } from './bcrypt.ts'
import type { ForeignHash, ForeignScheme } from './foreign-hash.ts'
import { pbkdf2Scheme } from './pbkdf2.ts'
import { betterAuthScheme, firebaseScheme, scryptScheme } from './scrypt.ts'

export { matches } from './foreign-hash.ts'
export { type FirebaseParameters, firebaseHash } from './scrypt.ts'

/** All families of other systems' hashes that are verified here. */
const foreignSchemes: readonly ForeignScheme[] = [
  bcryptScheme,
  argon2Scheme,
  scryptScheme,
  pbkdf2Scheme,
  betterAuthScheme,
  firebaseScheme,
]

const longest = 1024

/** The scheme and parameters of a stored text, or why it is not verified here. */
export function readForeignHash(stored: string): ForeignHash | HashProblem {
  if (stored.length > longest) return 'hash_unknown'
  const scheme = foreignSchemes.find(({ recognises }) => recognises(stored))
  return scheme?.read(stored) ?? 'hash_unknown'
}
