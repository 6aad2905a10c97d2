import { type Db, ForbiddenError, type Tx } from '@svc/core'
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
import { readAccount } from '../authenticate/authenticate.ts'
import type { Caller, FreshCaller } from '../caller/caller.ts'
import { lockFresh } from '../fresh-proof/fresh-proof.ts'
import { inTransaction } from '../in-transaction.ts'
import { superadmin } from './declare-roles.ts'
import { LastSuperadminError } from './errors.ts'
import { lockByName } from './store.ts'

// An account with several roles ranks as the highest of them.

type Actor = Pick<Caller, 'userId'>

/**
 * The account that a caller acts on, and the caller's own. No other transaction can change them until this one ends. They
 * are locked in one order: two who act on each other must not wait for each other.
 */
export async function lockBoth(tx: Tx, { userId: own }: Actor, userId: string) {
  const first = own < userId.toLowerCase() ? await lockAccount(tx, own) : null
  const account = await lockUser(tx, userId)
  const actor = first ?? (await lockAccount(tx, own))
  if (account.status === 'deleted') throw new UserNotFoundError()
  return { account, actor }
}

/**
 * The account that a caller acts on. It must rank below theirs; superadmins act on one another too. A caller never acts
 * on their own account: that is what the pages of the account are for. Of two who act on each other one comes second, and
 * is refused then.
 */
export async function lockBelow(tx: Tx, caller: Actor, userId: string) {
  if (userId.toLowerCase() === caller.userId)
    throw refusal('You may not do this to your own account.')
  const { account, actor } = await lockBoth(tx, caller, userId)
  const mayAct = actor?.status === 'active'
  if (!mayAct || !isAbove(await heldRoles(tx, actor), await heldRoles(tx, account))) {
    throw refusal('Their role ranks with yours, or above it.')
  }
  return account
}

/**
 * Refuses a caller who may not act on the account, before something is counted or done that no
 * refusal takes back.
 */
export async function refuseAbove(db: Db, caller: Actor, userId: string) {
  await inTransaction(db, async (tx) => void (await lockBelow(tx, caller, userId)))
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
  if (!holds) return refusal('You can only grant permissions that you have.')
  if (priority < caller.rolePriority) return null
  return refusal('The priority must be lower than the priority of your own role.')
}

/**
 * Refuses a caller who has lost a permission since the request came in. Their rank does not tell: of several roles, one
 * may give the rank and another one the permission.
 */
export async function refuseLost(tx: Tx, { userId, permissions }: FreshCaller) {
  const account = await readAccount(tx, userId)
  const isKept = permissions.every((name) => account?.permissions.includes(name))
  if (!isKept) throw refusal('Your role does not permit this.')
}

/** Before a superadmin acts: their key signs, and they are a superadmin, until this transaction ends. */
export async function holdSuperadmin(tx: Tx, caller: FreshCaller) {
  const account = await lockFresh(tx, caller)
  // Two superadmins that demote each other: the second one's right is gone by now.
  if (!(await isActiveHolder(tx, caller.userId, superadmin))) throw new ForbiddenError()
  return account
}

/**
 * Before an account loses its power over others, by its roles or its status. Until this transaction ends, no other one
 * takes the role from anybody. It is locked after the accounts: two that locked both in different orders would wait for
 * each other.
 */
export async function refuseLastSuperadmin(tx: Tx, account: LockedAccount) {
  if (!isSuperadmin(await heldRoles(tx, account))) return
  await lockByName(tx, superadmin, 'no key update')
  if (!(await hasOtherActiveHolder(tx, account.userId, superadmin))) throw new LastSuperadminError()
}
