import type { RequestOrigin, Standing } from '@svc/auth/server'
import { ForbiddenError, type Tx } from '@svc/core'
import {
  LastOwnerError,
  MoreThanOwnRoleError,
  OrganizationNotFoundError,
  OrganizationRoleNotFoundError,
} from './errors.ts'
import type { OrganizationAct, OrganizationHeld } from './held.ts'
import { grantedTo, isBuiltIn } from './permissions.ts'
import type { StoredPolicies } from './policies.ts'
import {
  countOtherOwners,
  findMember,
  findProgram,
  lockOrganization,
  type Membership,
  rolesOf,
} from './store.ts'

/** The user who changes something, and where the request came from. */
export interface By {
  readonly userId: string
  readonly origin: RequestOrigin
}

export const byCaller = ({ userId }: { userId: string }, origin: RequestOrigin): By => ({
  userId,
  origin,
})

/** The caller as a member, in the transaction that has locked the organization. */
export interface Changer extends By {
  readonly organizationId: string
  readonly roles: readonly string[]
  readonly permissions: readonly string[]
  readonly policies: StoredPolicies | null
}

interface Asked {
  readonly standing: Standing
  readonly by: By
  /** What the change needs. */
  readonly permission?: string
  /** Runs before the organization is locked, because accounts are locked first. */
  readonly first?: (tx: Tx) => Promise<unknown>
}

/**
 * Every change of an organization by one of its members. It locks the organization, and asks again what the caller may
 * do: the role may have been lost since the request arrived.
 */
export async function change<Result>(
  auth: OrganizationHeld,
  { standing: { id: organizationId }, by, permission, first }: Asked,
  run: (tx: Tx, me: Changer) => Promise<Result>,
): Promise<Result> {
  await auth.limits.take('organization change by account', by.userId)
  return auth.db.transaction(async (tx) => {
    await first?.(tx)
    const { policies } = await lockOrganization(tx, organizationId)
    const { roles, permissions } = await memberIn(auth, tx, { organizationId, userId: by.userId })
    if (permission !== undefined && !permissions.includes(permission)) throw new ForbiddenError()
    return run(tx, { ...by, organizationId, roles, permissions, policies })
  })
}

async function memberIn(auth: OrganizationHeld, tx: Tx, membership: Membership) {
  const found = (await findMember(tx, membership)) ?? (await findProgram(tx, membership))
  if (!found) throw new OrganizationNotFoundError()
  return { ...found, permissions: permissionsOfMember(auth, found) }
}

interface HeldRoles {
  readonly roles: readonly string[]
  /** Roles of the member’s teams, which count in the whole organization. */
  readonly teamRoles?: readonly string[]
  readonly granted: readonly string[]
}

export const permissionsOfMember = ({ permissions }: OrganizationHeld, member: HeldRoles) =>
  grantedTo(permissions, [...member.roles, ...(member.teamRoles ?? [])], member.granted)

interface RolesIn {
  readonly organizationId: string
  readonly roles: readonly string[]
}

/** What roles of an organization permit together. One that does not exist permits nothing. */
export async function permissionsOfRoles(
  auth: OrganizationHeld,
  tx: Tx,
  { organizationId, roles }: RolesIn,
) {
  const stored = roles.length > 0 ? await rolesOf(tx, organizationId, roles) : []
  const granted = stored.flatMap(({ permissions }) => permissions)
  return permissionsOfMember(auth, { roles, granted })
}

/** Refuses a role that does not exist, or that permits more than the caller’s own. */
export async function refuseGreaterRoles(
  auth: OrganizationHeld,
  tx: Tx,
  { me, roles }: { me: Changer; roles: readonly string[] },
) {
  const own = roles.filter((name) => !isBuiltIn(name))
  const stored = own.length > 0 ? await rolesOf(tx, me.organizationId, own) : []
  if (stored.length < new Set(own).size) throw new OrganizationRoleNotFoundError()
  const granted = stored.flatMap(({ permissions }) => permissions)
  refuseGreater(me, permissionsOfMember(auth, { roles, granted }))
  // An owner is more than its permissions: only an owner can open the organization again.
  if (roles.includes('owner') && !me.roles.includes('owner')) throw new MoreThanOwnRoleError()
}

/** No member gives or takes what permits more than their own roles. */
export function refuseGreater({ permissions }: Changer, theirs: readonly string[]) {
  if (theirs.some((name) => !permissions.includes(name))) throw new MoreThanOwnRoleError()
}

/** Refuses to change a member who may do more than the caller. */
export function refuseGreaterMember(auth: OrganizationHeld, me: Changer, member: HeldRoles) {
  refuseGreater(me, permissionsOfMember(auth, member))
  if (member.roles.includes('owner') && !me.roles.includes('owner'))
    throw new MoreThanOwnRoleError()
}

/** Two owners who leave at the same time wait for each other at the lock, and the second one is the last. */
export async function refuseLastOwner(
  tx: Tx,
  membership: Membership,
  { roles }: Pick<HeldRoles, 'roles'>,
) {
  if (roles.includes('owner') && (await countOtherOwners(tx, membership)) === 0) {
    throw new LastOwnerError()
  }
}

interface Note {
  readonly act: OrganizationAct
  readonly organizationId: string
  readonly by: By
  /** The member, the role or the invitation. */
  readonly target?: string
  readonly details?: Record<string, unknown>
}

export function note(
  auth: OrganizationHeld,
  tx: Tx,
  { act, organizationId, by: { userId: actor, origin }, target, details }: Note,
) {
  return auth.audit(tx, act, {
    actor,
    target: target ?? organizationId,
    details: { organizationId, ...details },
    origin,
    at: auth.clock.now(),
  })
}
