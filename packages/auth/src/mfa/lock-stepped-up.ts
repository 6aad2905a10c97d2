import type { Tx } from '@svc/core'
import type { LockedAccount } from '../accounts/lock-account.ts'
import type { Caller } from '../authenticate/caller.ts'
import { StepUpRequiredError } from '../authenticate/errors.ts'
import { lockCaller } from '../keys/lock-caller.ts'

/**
 * Locks a caller that has stepped up, where there was something to prove. What the account has by now must be what was
 * proved: a factor that was set up meanwhile was not.
 */
export async function lockSteppedUp(tx: Tx, caller: Caller) {
  const account = await lockCaller(tx, caller)
  requireSteppedUp(account, caller)
  return account
}

/** The same, for a caller that is locked by now. */
export function requireSteppedUp(account: LockedAccount, caller: Caller) {
  if (account.secondFactorSince?.getTime() !== caller.secondFactorSince?.getTime()) {
    throw new StepUpRequiredError()
  }
  // An account-wide revocation that spared this device has voided its proof.
  if (account.secondFactorSince && account.generation !== caller.generation) {
    throw new StepUpRequiredError()
  }
}
