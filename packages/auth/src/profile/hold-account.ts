import { type Tx, UnauthorizedError } from '@svc/core'
import { lockAccount, refuseInactive } from '../accounts/lock-account.ts'

/** The caller's own account until the transaction ends, unless it was suspended or deleted since the request came. */
export async function holdAccount(tx: Tx, userId: string) {
  const account = await lockAccount(tx, userId)
  if (!account) throw new UnauthorizedError()
  refuseInactive(account)
  return account
}
