import type { Identifier } from './identifier.ts'
import type { LockedAccount } from './lock-account.ts'

/** What the account is known by. */
export function identifiersOf({ email, phone }: Pick<LockedAccount, 'email' | 'phone'>) {
  const identifiers: Identifier[] = []
  if (email !== null) identifiers.push({ type: 'email', value: email })
  if (phone !== null) identifiers.push({ type: 'phone', value: phone })
  return identifiers
}
