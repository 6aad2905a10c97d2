import type { IsBreached } from './breached-passwords.ts'
import { isCommonPassword } from './common-passwords.ts'
import { WeakPasswordError, type WeakPasswordReason } from './errors.ts'

interface PasswordOwner {
  email?: string | null | undefined
  username?: string | null | undefined
}

const shortest = 8
const longest = 256
// UTF-16 units as sent. 256 Korean syllables decomposed are 768; a megabyte must not be normalised
// first.
const longestAsSent = 1024

/**
 * The form in which passwords are compared: NFKC. `null` if it is longer than any password may be.
 */
export function normalisePassword(password: string) {
  if (password.length > longestAsSent) return null
  const normalised = password.normalize('NFKC')
  return codePoints(normalised) > longest ? null : normalised
}

/** The rules for a new password. Returns the normalised form, which is hashed. */
export function checkPassword(password: string, owner: PasswordOwner = {}) {
  const normalised = normalisePassword(password)
  if (normalised === null) throw new WeakPasswordError({ reasons: ['too_long'] })
  const reasons: WeakPasswordReason[] = []
  if (codePoints(normalised) < shortest) reasons.push('too_short')
  if (isCommonPassword(normalised)) reasons.push('common')
  if (namesOf(owner).includes(folded(normalised))) reasons.push('account_name')
  if (reasons.length > 0) throw new WeakPasswordError({ reasons })
  return normalised
}

function namesOf({ email, username }: PasswordOwner) {
  const names = [email, email?.slice(0, email.lastIndexOf('@')), username]
  return names.filter((name) => typeof name === 'string').map(folded)
}

function folded(text: string) {
  return text.normalize('NFKC').trim().toLowerCase()
}

function codePoints(text: string) {
  return Array.from(text).length
}

/** The normalised form of a password that an account may be given. */
export type PasswordCheck = (password: string, owner?: PasswordOwner) => Promise<string>

/** The policy and, if enabled, the lookup: every operation that sets a password calls it. */
export function createPasswordCheck(isBreached: IsBreached | null): PasswordCheck {
  return async (password, owner) => {
    const normalised = checkPassword(password, owner)
    if (await isBreached?.(normalised)) throw new WeakPasswordError({ reasons: ['breached'] })
    return normalised
  }
}
