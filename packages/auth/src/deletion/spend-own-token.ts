import type { Tx } from '@svc/core'
import { identifiersOf } from '../accounts/identifier.ts'
import type { LockedAccount } from '../accounts/lock-account.ts'
import type { Needs } from '../auth.ts'
import { VerificationTokenTargetMismatchError } from '../codes/errors.ts'
import { spendVerificationToken } from '../codes/verification-token.ts'

interface Presented {
  account: LockedAccount
  token: string
  now: Date
}

/** Spends a token whose code went to the account's own address or number, whichever of the two. */
export async function spendOwnToken(
  tx: Tx,
  auth: Needs<'env'>,
  { account, token, now }: Presented,
) {
  for (const identifier of identifiersOf(account)) {
    const presented = { token, purpose: 'account_deletion' as const, identifier, now }
    try {
      return await spendVerificationToken(tx, auth, presented)
    } catch (error) {
      // Refused before anything is spent: the other one may be what it is for.
      if (!(error instanceof VerificationTokenTargetMismatchError)) throw error
    }
  }
  throw new VerificationTokenTargetMismatchError()
}
