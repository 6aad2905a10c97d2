import { ForbiddenError, type Tx } from '@svc/core'
import { lockAccount, lockUser } from '../accounts/accounts.ts'
import { UserNotFoundError } from '../accounts/errors.ts'
import type { Caller } from '../caller/caller.ts'
import { superadmin } from './declare-roles.ts'
import { findByName } from './store.ts'

/**
 * The account that a caller acts on, which no other transaction can change until this one ends. Nobody acts on an
 * account whose role ranks with theirs or above, but superadmins on one another, and nobody on their own: that is what
 * the pages of the account are for. Both accounts are held, so that of two who act on each other one comes second, and
 * finds that it may no longer.
 */
export async function lockBelow(tx: Tx, caller: Pick<Caller, 'userId'>, userId: string) {
  if (userId.toLowerCase() === caller.userId) throw refusal('This is your own account.')
  const actorFirst = caller.userId < userId.toLowerCase()
  const first = actorFirst ? await lockAccount(tx, caller.userId) : null
  const account = await lockUser(tx, userId)
  const actor = first ?? (await lockAccount(tx, caller.userId))
  if (account.status === 'deleted') throw new UserNotFoundError()
  if (actor?.status !== 'active' || !(await isAbove(tx, actor.role, account.role))) {
    throw refusal('Their role ranks with yours, or above it.')
  }
  return account
}

async function isAbove(tx: Tx, actorRole: string, role: string) {
  if (actorRole === superadmin) return true
  const [own, other] = [await findByName(tx, actorRole), await findByName(tx, role)]
  return own !== null && other !== null && own.isActive && own.priority > other.priority
}

const refusal = (message: string) => new ForbiddenError({ message })
