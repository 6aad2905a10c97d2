import type { Tx } from '@svc/core'
import { type FreshAccount } from '../accounts/entitled-account.ts'
import type { Caller, FreshCaller } from '../caller/caller.ts'
import { StepUpRequiredError } from '../caller/errors.ts'
import { lockCaller } from '../keys/lock-caller.ts'
import { isProofKept } from '../keys/note-proof.ts'

/**
 * Locks a caller that has stepped up, where there was something to prove. What the account has by now must be what was
 * proved: a factor that was set up meanwhile was not.
 */
export async function lockSteppedUp(tx: Tx, caller: Caller) {
  const account = await lockCaller(tx, caller)
  const { userId, keyId, secondFactorSince, secondFactorProvedAt: provedAt } = caller
  const isSame = account.secondFactorSince?.getTime() === secondFactorSince?.getTime()
  // A new password or a new factor has voided the proof of this device.
  const isProved = provedAt === null || (await isProofKept(tx, { userId, keyId, provedAt }))
  if (!isSame || !isProved) throw new StepUpRequiredError()
  return account
}

/** The same, for a caller whose proof is fresh: the account that may be given a key, a grant or another way in. */
export async function lockFresh(tx: Tx, caller: FreshCaller) {
  // The only place that makes one.
  return (await lockSteppedUp(tx, caller)) as FreshAccount
}
