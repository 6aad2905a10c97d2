import { ForbiddenError, type Tx } from '@svc/core'
import {
  hasOtherActiveHolder,
  isActiveHolder,
  type LockedAccount,
  lockUser,
  setRole,
} from '../accounts/accounts.ts'
import { UserNotFoundError } from '../accounts/errors.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Needs } from '../auth.ts'
import type { FreshCaller, RequestOrigin } from '../caller/caller.ts'
import { inTransaction } from '../in-transaction.ts'
import { roleChanged } from '../streams/streams.ts'
import { superadmin } from './declare-roles.ts'
import { LastSuperadminError, RoleNotFoundError } from './errors.ts'
import { holdByName, lockByName } from './store.ts'

interface Request {
  caller: FreshCaller
  userId: string
  role: string
  origin: RequestOrigin
}

/** Gives a user another role. Whoever grants it must be a superadmin still, when all others at it have ended. */
export async function updateUserRole(
  { db, clock }: Needs<'db' | 'clock'>,
  { caller, userId, role, origin }: Request,
) {
  const now = clock.now()
  return inTransaction(db, async (tx) => {
    const account = await lockUser(tx, userId)
    if (account.status === 'deleted') throw new UserNotFoundError()
    await lockSuperadmins(tx)
    // Two superadmins that demote each other: the second one's right is gone by now.
    if (!(await isActiveHolder(tx, caller.userId, superadmin))) throw new ForbiddenError()
    const given = await holdByName(tx, role)
    if (!given) throw new RoleNotFoundError()
    const answer = { userId: account.userId, role }
    if (account.role === role) return answer
    if (!given.isActive) throw new ForbiddenError({ message: 'The role is not active.' })
    await refuseLastSuperadmin(tx, account)
    await setRole(tx, account, role)
    await recordAudit(tx, {
      act: 'user.role_changed',
      actor: caller.userId,
      target: account.userId,
      details: { from: account.role, to: role },
      origin,
      at: now,
    })
    await roleChanged.emit(answer)
    return answer
  })
}

/**
 * Until this transaction ends, no other one takes the role from anybody. Always after the accounts: two that took both
 * in different orders would wait for each other.
 */
async function lockSuperadmins(tx: Tx) {
  await lockByName(tx, superadmin, 'no key update')
}

/** For whoever takes an account out of the ranks of those who may administer: by its role, or its status. */
export async function refuseLastSuperadmin(tx: Tx, { userId, role }: LockedAccount) {
  if (role !== superadmin) return
  await lockSuperadmins(tx)
  if (!(await hasOtherActiveHolder(tx, userId, superadmin))) throw new LastSuperadminError()
}
