import { ForbiddenError, type Tx } from '@svc/core'
import {
  type HeldRole,
  hasOtherActiveHolder,
  heldRoles,
  isActiveHolder,
  type LockedAccount,
  lockAccount,
  lockUser,
} from '../accounts/accounts.ts'
import { UserNotFoundError } from '../accounts/errors.ts'
import type { Caller } from '../caller/caller.ts'
import { superadmin } from './declare-roles.ts'
import { LastSuperadminError } from './errors.ts'
import { lockByName } from './store.ts'

// An account with several roles ranks as the highest of them.

/**
 * The account that a caller acts on, which no other transaction can change until this one ends. Nobody acts on an
 * account that ranks with theirs or above, but superadmins on one another, and nobody on their own: that is what the
 * pages of the account are for. Both accounts are held, so that of two who act on each other one comes second, and finds
 * that it may no longer.
 */
export async function lockBelow(tx: Tx, caller: Pick<Caller, 'userId'>, userId: string) {
  if (userId.toLowerCase() === caller.userId) throw refusal('This is your own account.')
  const actorFirst = caller.userId < userId.toLowerCase()
  const first = actorFirst ? await lockAccount(tx, caller.userId) : null
  const account = await lockUser(tx, userId)
  const actor = first ?? (await lockAccount(tx, caller.userId))
  if (account.status === 'deleted') throw new UserNotFoundError()
  const mayAct = actor?.status === 'active'
  if (!mayAct || !isAbove(await heldRoles(tx, actor), await heldRoles(tx, account))) {
    throw refusal('Their role ranks with yours, or above it.')
  }
  return account
}

/** A role that is not active lets no one act, and protects those who have it: it may be made active again. */
function isAbove(own: HeldRole[], others: HeldRole[]) {
  const active = own.filter(({ isActive }) => isActive)
  if (isSuperadmin(active)) return true
  return !isSuperadmin(others) && rankOf(active) > rankOf(others)
}

const isSuperadmin = (held: HeldRole[]) => held.some(({ name }) => name === superadmin)
const rankOf = (held: HeldRole[]) => Math.max(...held.map(({ priority }) => priority))

const refusal = (message: string) => new ForbiddenError({ message })

/** What a role would let its holders do. */
interface Grant {
  priority?: number | undefined
  permissions?: readonly string[] | undefined
}

type Grantor = Pick<Caller, 'rolePriority' | 'permissions'>

/** Refuses a caller who grants what they do not hold, or a role that ranks as high as their own. */
export function refuseEscalation(caller: Grantor, grant: Grant) {
  const refused = escalation(caller, grant)
  if (refused) throw refused
}

/** The refusal of a caller who grants this; null if they may. */
export function escalation(caller: Grantor, { priority = 0, permissions = [] }: Grant) {
  const holds = permissions.every((name) => caller.permissions.includes(name))
  if (!holds) return refusal('You do not hold what you grant.')
  if (priority < caller.rolePriority) return null
  return refusal('The priority must be below that of your own role.')
}

/**
 * Until this transaction ends, no other one takes the role from anybody. Always after the accounts: two that took both
 * in different orders would wait for each other.
 */
async function lockSuperadmins(tx: Tx) {
  await lockByName(tx, superadmin, 'no key update')
}

/** Before roles are given or taken: the caller is still a superadmin, until this transaction ends. */
export async function holdSuperadmin(tx: Tx, caller: Pick<Caller, 'userId'>) {
  await lockSuperadmins(tx)
  // Two superadmins that demote each other: the second one's right is gone by now.
  if (!(await isActiveHolder(tx, caller.userId, superadmin))) throw new ForbiddenError()
}

/** Before an account loses its power over others, by its roles or its status. */
export async function refuseLastSuperadmin(tx: Tx, account: LockedAccount) {
  if (!isSuperadmin(await heldRoles(tx, account))) return
  await lockSuperadmins(tx)
  if (!(await hasOtherActiveHolder(tx, account.userId, superadmin))) throw new LastSuperadminError()
}
