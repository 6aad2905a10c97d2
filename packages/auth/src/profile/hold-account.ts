import type { Tx } from '@svc/core'
import { refuseInactive } from '../accounts/lock-account.ts'
import { lockCaller, type Signer } from '../keys/lock-caller.ts'

/** The caller's own account until the transaction ends, unless device or account were shut out since the request came. */
export async function holdAccount(tx: Tx, caller: Signer) {
  const account = await lockCaller(tx, caller)
  refuseInactive(account)
  return account
}
