import { ConflictError, databaseFailure, type Tx } from '@svc/core'
import { setContact } from '../../accounts/contact.ts'
import type { LockedAccount } from '../../accounts/lock-account.ts'
import { contactChangedEvent } from '../../events.ts'
import { type Arrival, addressOf } from './arrival.ts'

/**
 * An account without an address gets the one that its provider has verified, unless it is another's: then the sign-in
 * goes on without.
 */
export async function backfillEmail(tx: Tx, account: LockedAccount, { identity, now }: Arrival) {
  const value = addressOf(identity)
  if (account.email !== null || value === null || !identity.isEmailVerified) return
  try {
    // A transaction within: what fails in here leaves the sign-in as it was.
    await tx.transaction((inner) =>
      setContact(inner, account, { type: 'email', value, verifiedAt: now }),
    )
  } catch (error) {
    if (databaseFailure(error) instanceof ConflictError) return
    throw error
  }
  await contactChangedEvent.emit({ userId: account.userId, kind: 'email' })
}
