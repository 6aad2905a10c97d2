import type { Tx } from '@svc/core'
import { isUuid } from '../pg-schema.ts'
import { UserNotFoundError } from './errors.ts'
import { lockAccount } from './lock-account.ts'

/** The account that an administrator or an application names by its id. */
export async function lockUser(tx: Tx, userId: string) {
  const account = isUuid(userId) ? await lockAccount(tx, userId) : null
  if (!account) throw new UserNotFoundError()
  return account
}
