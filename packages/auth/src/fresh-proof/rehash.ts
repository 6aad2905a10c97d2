import { replacePasswordHash } from '../accounts/password.ts'
import type { Needs } from '../auth.ts'

interface Account {
  userId: string
  passwordHash: string | null
}

/**
 * Brings the hash of a password that was just right up to what is configured now, beside the answer. While others wait
 * for a thread it is left for the next time: a move of all accounts would take twice as long for those who sign in.
 */
export function rehash(
  { db, passwords, log }: Needs<'db' | 'passwords' | 'log'>,
  { account, password }: { account: Account; password: string },
) {
  const { userId, passwordHash } = account
  if (passwordHash === null || !passwords.needsRehash(passwordHash)) return
  if (!passwords.isIdle) return
  passwords
    .hash(password)
    .then((hash) => replacePasswordHash(db, { userId, from: passwordHash, to: hash }))
    .catch((error: unknown) => log.warn({ err: error, userId }, 'a password was not hashed again'))
}
