import { ConflictError, ForbiddenError, type Tx } from '@svc/core'
import {
  type HeldRole,
  heldRoles,
  type LockedAccount,
  namesOf,
  setRoles,
} from '../accounts/accounts.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Needs } from '../auth.ts'
import type { FreshCaller, RequestOrigin } from '../caller/caller.ts'
import { inTransaction } from '../in-transaction.ts'
import { roleChanged } from '../streams/streams.ts'
import { superadmin } from './declare-roles.ts'
import { RoleNotFoundError } from './errors.ts'
import { holdSuperadmin, lockBoth, refuseLastSuperadmin } from './rank.ts'
import { holdByName } from './store.ts'

/** Every request reads all of them. */
const mostRoles = 16

interface Request {
  caller: FreshCaller
  userId: string
  role: string
  origin: RequestOrigin
}

type ChangeNeeds = Needs<'db' | 'clock'>

/** Gives a user this role in place of all others. */
export async function updateUserRole(auth: ChangeNeeds, request: Request) {
  const { userId, role } = await changeRoles(auth, request, (_, given) => [given])
  return { userId, role }
}

/** Gives a user a role beside those that they have. */
export function addUserRole(auth: ChangeNeeds, request: Request) {
  return changeRoles(auth, request, (held, given) => {
    const others = without(held, given)
    if (others.length < mostRoles) return [...others, given]
    throw new ConflictError({ message: `An account has at most ${mostRoles} roles.` })
  })
}

/** Takes a role from a user who has others. */
export function removeUserRole(auth: ChangeNeeds, request: Request) {
  return changeRoles(auth, request, (held, taken) => {
    const others = without(held, taken)
    if (others.length > 0) return others
    throw new ConflictError({ message: 'This is their only role. Give them another one first.' })
  })
}

const without = (held: HeldRole[], { name }: HeldRole) => held.filter((role) => role.name !== name)

/** From the roles that an account has to those that it shall have. */
type Change = (held: HeldRole[], named: HeldRole) => HeldRole[]

/** The caller must still be a superadmin when changes that came before have ended. */
function changeRoles(
  { db, clock }: ChangeNeeds,
  { caller, userId, role, origin }: Request,
  change: Change,
) {
  const now = clock.now()
  return inTransaction(db, async (tx) => {
    const { account } = await lockBoth(tx, caller, userId)
    await holdSuperadmin(tx, caller)
    const named = await holdByName(tx, role)
    if (!named) throw new RoleNotFoundError()
    const held = await heldRoles(tx, account)
    const move = { from: namesOf(held), to: namesOf(change(held, named)) }
    const answer = { userId: account.userId, role: move.to[0], roles: [...move.to] }
    if (move.from.join() === move.to.join()) return answer
    await refuseMove(tx, account, { ...move, named })
    await setRoles(tx, account, move.to)
    const details = detailsOf(move)
    const by = { actor: caller.userId, target: account.userId, origin, at: now }
    await recordAudit(tx, { act: 'user.role_changed', ...by, details })
    await roleChanged.emit({ userId: answer.userId, role: answer.role })
    return answer
  })
}

type Names = readonly [string, ...string[]]

interface Move {
  from: Names
  to: Names
}

const lacking = (names: Names, others: Names) => names.filter((name) => !others.includes(name))

async function refuseMove(
  tx: Tx,
  account: LockedAccount,
  { from, to, named }: Move & { named: HeldRole },
) {
  const isGiven = lacking(to, from).includes(named.name)
  if (isGiven && !named.isActive)
    throw new ForbiddenError({ message: 'The role is not active. Activate it first.' })
  if (lacking(from, to).includes(superadmin)) await refuseLastSuperadmin(tx, account)
}

/** The highest before and after; of several, also which have come and gone. */
function detailsOf({ from, to }: Move) {
  const highest = { from: from[0], to: to[0] }
  if (from.length + to.length === 2) return highest
  return { ...highest, added: lacking(to, from), removed: lacking(from, to) }
}
