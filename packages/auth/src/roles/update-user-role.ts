import { ForbiddenError } from '@svc/core'
import { UserNotFoundError } from '../accounts/errors.ts'
import { lockUser } from '../accounts/lock-user.ts'
import { isActiveHolder } from '../accounts/role-holders.ts'
import { setRole } from '../accounts/set-role.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Needs } from '../auth.ts'
import type { FreshCaller } from '../caller/caller.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import { roleChanged } from '../streams/revocations.ts'
import { superadmin } from './builtin-roles.ts'
import { RoleNotFoundError } from './errors.ts'
import { lockSuperadmins, refuseLastSuperadmin } from './last-superadmin.ts'
import { holdByName } from './store.ts'

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
  return db.transaction(async (tx) => {
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
