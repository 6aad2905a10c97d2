import type { CheckedPasskey } from './check-passkey.ts'

/** An authenticator that has checked its user has asked for two things: itself, and what it knows the user by. */
export function worthOf({
  secondFactor,
  isUserVerified,
}: Pick<CheckedPasskey, 'secondFactor' | 'isUserVerified'>) {
  if (secondFactor) return { secondFactor: 'proved' as const }
  return isUserVerified ? { secondFactor: 'waived' as const } : {}
}
