import { WeakPasswordError, type WeakPasswordReason } from '../passwords/errors.ts'
import { checkPassword } from '../passwords/policy.ts'

interface Owner {
  email: string
  isProduction: boolean
}

const words: Record<WeakPasswordReason, string> = {
  too_short: 'must have at least 8 characters',
  too_long: 'must have at most 256 characters',
  common: 'is among the first that are guessed',
  account_name: 'must not be the name of its account',
  breached: 'is in a public collection of leaks',
}

/** What is wrong with a password, or null. Outside production it may be easy to guess, but not empty. */
export function passwordProblem(password: string, { email, isProduction }: Owner) {
  const reasons = weaknesses(password, email)
  const refused = reasons.find(
    (reason) => isProduction || reason === 'too_short' || reason === 'too_long',
  )
  return refused === undefined ? null : words[refused]
}

function weaknesses(password: string, email: string) {
  try {
    checkPassword(password, { email })
    return []
  } catch (error) {
    if (error instanceof WeakPasswordError) return error.reasons
    throw error
  }
}
