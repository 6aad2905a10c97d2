import { readNames, type Standing } from '@svc/auth/server'
import { ForbiddenError, type Tx } from '@svc/core'
import { MemberNotFoundError } from '../membership/errors.ts'
import { memberChanged } from '../membership/events.ts'
import {
  type By,
  change,
  note,
  type OrganizationHeld,
  refuseGreaterMember,
  refuseGreaterRoles,
  refuseLastOwner,
  store,
} from '../membership/membership.ts'
import { refusePersonal } from '../personal/personal.ts'
import { rolesInTeamsOf } from '../teams/teams.ts'

export async function listMembers(
  auth: OrganizationHeld,
  { id: organizationId }: Pick<Standing, 'id'>,
  query: { role?: 'owner' | undefined; after?: string | undefined; limit: number },
) {
  const { items, ...next } = await store.memberPage(auth.db, { organizationId, ...query })
  const names = await readNames(
    auth.db,
    items.map(({ userId }) => userId),
  )
  const shown = items.map(({ joinedAt, ...member }) => ({
    ...member,
    email: names.get(member.userId)?.email ?? null,
    displayName: names.get(member.userId)?.displayName ?? null,
    joinedAt: joinedAt.toISOString(),
  }))
  return { items: shown, ...next }
}

interface OfMember {
  readonly standing: Standing
  readonly userId: string
  readonly by: By
}

async function findOther(tx: Tx, membership: store.Membership) {
  const found = await store.findMember(tx, membership)
  if (!found) throw new MemberNotFoundError()
  return found
}

export async function setMemberRoles(
  auth: OrganizationHeld,
  { roles: given, ...asked }: OfMember & { roles: readonly string[] },
) {
  const { userId, by } = asked
  const roles = [...new Set(given)]
  await change(auth, { ...asked, permission: 'member:update' }, async (tx, me) => {
    const membership = { organizationId: me.organizationId, userId }
    const before = await findOther(tx, membership)
    refuseGreaterMember(auth, me, before)
    await refuseGreaterRoles(auth, tx, { me, roles })
    if (!roles.includes('owner')) await refuseLastOwner(tx, membership, before)
    await store.setRoles(tx, membership, roles)
    const details = { before: before.roles, after: roles }
    const act = 'organization.member_roles_changed'
    await note(auth, tx, { act, ...membership, by, target: userId, details })
    await memberChanged.emit(membership)
  })
}

export async function removeMember(auth: OrganizationHeld, asked: OfMember) {
  await change(auth, { ...asked, permission: 'member:remove' }, async (tx, me) => {
    const membership = { organizationId: me.organizationId, userId: asked.userId }
    const member = await findOther(tx, membership)
    refuseGreaterMember(auth, me, member)
    // A removal ends these too.
    await refuseGreaterRoles(auth, tx, { me, roles: await rolesInTeamsOf(tx, membership) })
    await takeOut(auth, tx, { ...membership, member, by: asked.by })
  })
}

export async function leaveOrganization(
  auth: OrganizationHeld,
  { standing, by }: { standing: Standing; by: By },
) {
  await change(auth, { standing, by }, async (tx, me) => {
    const { organizationId, userId } = me
    await refusePersonal(tx, organizationId)
    // A member who manages it deletes a service account.
    if (!(await store.findMember(tx, me))) throw new ForbiddenError()
    await takeOut(auth, tx, { organizationId, userId, member: me, by })
  })
}

interface Leaving extends store.Membership {
  readonly member: { readonly roles: readonly string[] }
  readonly by: By
}

async function takeOut(
  auth: OrganizationHeld,
  tx: Tx,
  { organizationId, userId, member, by }: Leaving,
) {
  const membership = { organizationId, userId }
  await refuseLastOwner(tx, membership, member)
  await store.deleteMember(tx, membership)
  const act = 'organization.member_removed'
  await note(auth, tx, { act, organizationId, by, target: userId })
  await memberChanged.emit(membership)
}

/** The other member is the owner from the commit on, and the caller an admin. */
export async function handOver(auth: OrganizationHeld, asked: OfMember) {
  const { userId, by } = asked
  await change(auth, { ...asked, permission: 'organization:close' }, async (tx, me) => {
    const { organizationId } = me
    await refusePersonal(tx, organizationId)
    const heir = { organizationId, userId }
    const before = await findOther(tx, heir)
    await refuseGreaterRoles(auth, tx, { me, roles: ['owner'] })
    if (userId === me.userId) return
    await store.setRoles(tx, heir, withRole(before.roles, 'owner'))
    const own = { organizationId, userId: me.userId }
    await store.setRoles(tx, own, withRole(without(me.roles, 'owner'), 'admin'))
    const act = 'organization.handed_over'
    await note(auth, tx, { act, organizationId, by, target: userId })
    await memberChanged.emit(heir)
    await memberChanged.emit(own)
  })
}

const without = (roles: readonly string[], role: string) => roles.filter((each) => each !== role)
const withRole = (roles: readonly string[], role: string) => [...new Set([role, ...roles])]
