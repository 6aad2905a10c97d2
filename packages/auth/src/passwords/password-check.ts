import type { IsBreached } from './breached-passwords.ts'
import { WeakPasswordError } from './errors.ts'
import { checkPassword, type PasswordOwner } from './policy.ts'

/** The normalised form of a password that an account may be given. */
export type PasswordCheck = (password: string, owner?: PasswordOwner) => Promise<string>

/** The policy and, where it is on, the lookup: what every path that sets a password calls. */
export function createPasswordCheck(isBreached: IsBreached | null): PasswordCheck {
  return async (password, owner) => {
    const normalised = checkPassword(password, owner)
    if (await isBreached?.(normalised)) throw new WeakPasswordError({ reasons: ['breached'] })
    return normalised
  }
}
