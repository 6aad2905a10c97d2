import type { Tx } from '@svc/core'
import { UserNotFoundError } from '../accounts/errors.ts'
import { lockAccount } from '../accounts/lock-account.ts'
import { isUuid } from '../pg-schema.ts'

export async function findUser(tx: Tx, userId: string) {
  const account = isUuid(userId) ? await lockAccount(tx, userId) : null
  if (!account) throw new UserNotFoundError()
  return account
}
