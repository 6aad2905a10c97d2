import { type Tx, UnauthorizedError } from '@svc/core'
import type { CallersAccount } from '../accounts/entitled-account.ts'
import { type LockedAccount, lockAccount } from '../accounts/lock-account.ts'
import type { Caller } from '../caller/caller.ts'
import { isOwned } from './store.ts'

export type Signer = Pick<Caller, 'userId' | 'keyId' | 'generation'>

/**
 * Locks the caller's account if the key that signed this request still signs. A request that was let in while its
 * device was being signed out must not act after that.
 */
export async function lockCaller(tx: Tx, caller: Signer): Promise<CallersAccount> {
  const account = await lockAccount(tx, caller.userId)
  if (!account || !(await stillSigns(tx, account, caller))) throw new UnauthorizedError()
  return account as CallersAccount
}
/** Whether a key, of an account that is locked, signs yet. */
export function stillSigns(tx: Tx, account: LockedAccount, { userId, keyId, generation }: Signer) {
  // No device key signed it: what an account-wide revocation ends is told by the generation.
  if (keyId === '') return account.generation === generation
  return isOwned(tx, { keyId, userId, states: ['active'] })
}
