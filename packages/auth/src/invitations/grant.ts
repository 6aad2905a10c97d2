import { type Db, ForbiddenError } from '@svc/core'
import type { Caller } from '../authenticate/caller.ts'
import { readAccount } from '../authenticate/read-account.ts'
import { ownAccount, superadmin } from '../roles/builtin-roles.ts'
import type { Role } from '../roles/hold-role.ts'
import { escalation } from '../roles/refuse-escalation.ts'

/**
 * Why an account may not invite into a role, as both are now; null where it may. A superadmin gives any role, as
 * `updateUserRole` does; nobody else gives what they do not hold.
 */
async function refusal(db: Db, userId: string, role: Role) {
  const grantor = await readAccount(db, userId)
  const mayInvite = grantor?.status === 'active' && grantor.permissions.includes('user:invite')
  if (!mayInvite) return new ForbiddenError()
  return grantor.role === superadmin ? null : escalation(grantor, role)
}

/** For whoever invites, and for whoever takes an invitation back. A program gives no more than it has itself. */
export async function refuseGrant(db: Db, caller: Caller, role: Role) {
  const owners = await refusal(db, caller.userId, role)
  const refused = owners ?? (caller.kind === 'device' ? null : beyondProgram(caller, role))
  if (refused) throw refused
}

function beyondProgram(caller: Caller, { priority, permissions }: Role) {
  const overOthers = permissions.filter((name) => name !== ownAccount)
  return escalation(caller, { priority, permissions: overOthers })
}

/** Nobody gets a role that is not active. */
export function refuseInactiveRole({ isActive }: Role) {
  if (!isActive) throw new ForbiddenError({ message: 'The role is not active.' })
}

/** Whether what was offered may be given still: not by an inviter who is gone, or holds less by now. */
export async function mayStillGrant(db: Db, userId: string | null, role: Role) {
  if (userId === null || !role.isActive) return false
  return (await refusal(db, userId, role)) === null
}
