import { type Db, ForbiddenError, type Tx } from '@svc/core'
import type { Needs } from '../auth.ts'
import { readAccount } from '../authenticate/authenticate.ts'
import type { Caller, ProvableCaller } from '../caller/caller.ts'
import { lockFresh, type ProofAsked, requireFresh } from '../fresh-proof/fresh-proof.ts'
import { escalation, givesPower, ownAccount, type Role, superadmin } from '../roles/roles.ts'

/**
 * Why an account may not invite into a role, as both are now; null if it may. A superadmin may give
 * any role, as with `updateUserRole`. Other users give only permissions that they have.
 */
async function refusal(db: Db, userId: string, role: Role) {
  const grantor = await readAccount(db, userId)
  const mayInvite = grantor?.status === 'active' && grantor.permissions.includes('user:invite')
  if (!mayInvite) return new ForbiddenError()
  return grantor.roles.includes(superadmin) ? null : escalation(grantor, role)
}

/** For making an invitation, and for cancelling one. A program gives no more than it has itself. */
export async function refuseGrant(db: Db, caller: Caller, role: Role) {
  const owners = await refusal(db, caller.userId, role)
  const refused = owners ?? (caller.kind === 'device' ? null : beyondProgram(caller, role))
  if (refused) throw refused
}

function beyondProgram(caller: Caller, { priority, permissions }: Role) {
  const overOthers = permissions.filter((name) => name !== ownAccount)
  return escalation(caller, { priority, permissions: overOthers })
}

declare const granted: unique symbol

/** A role that an invitation may offer: the inviter is allowed to, and has given the proof for it. */
export type GrantedRole = Role & { readonly [granted]: true }

interface Granting {
  caller: ProvableCaller
  role: Role
  operation: ProofAsked['operation']
}

/** For a caller who invites, or sends an invitation again. A program can't give a proof, so it gives no power. */
export async function grantRole(
  tx: Tx,
  auth: Needs<'clock' | 'env' | 'configuration' | 'rolesAtGates'>,
  { caller, role, operation }: Granting,
) {
  if (!role.isActive) throw new ForbiddenError({ message: 'The role is not active.' })
  await refuseGrant(tx, caller, role)
  if (givesPower(auth, role)) {
    await lockFresh(tx, requireFresh(auth, caller, { operation, window: 'operator' }))
  }
  // The only place that makes a `GrantedRole`.
  return role as GrantedRole
}

/**
 * Whether the offer still holds: not if its inviter no longer exists, or has fewer permissions by
 * now.
 */
export async function mayStillGrant(db: Db, userId: string | null, role: Role) {
  if (userId === null || !role.isActive) return false
  return (await refusal(db, userId, role)) === null
}
