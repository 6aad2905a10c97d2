import { readNames, type Standing } from '@svc/auth/server'
import { ForbiddenError, type Tx } from '@svc/core'
import { rolesOfDomains } from '../domains/domains.ts'
import { cancelForMember } from '../invitations/invitations.ts'
import { MemberNotFoundError } from '../membership/errors.ts'
import { memberChanged } from '../membership/events.ts'
import {
  type By,
  type Changer,
  change,
  note,
  noteRemoval,
  type OrganizationHeld,
  permissionsOfRoles,
  refuseGreaterMember,
  refuseGreaterRoles,
  refuseLastOwner,
  store,
} from '../membership/membership.ts'
import { tellOfLoss, tellOfOwner, tellRemoved } from '../notices/notices.ts'
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
    // It would add its own to them.
    await cancelForMember(tx, { ...membership, now: auth.clock.now() })
    const details = { before: before.roles, after: roles }
    const act = 'organization.member_roles_changed'
    await note(auth, tx, { act, ...membership, by, target: userId, details })
    await memberChanged.emit(membership)
    const { organizationId, userId: actor } = me
    const [was, is] = [before.roles.includes('owner'), roles.includes('owner')]
    if (was && !is && userId !== actor) await tellOfLoss(tx, auth, { ...membership, by: actor })
    if (was || !is) return
    await tellOfOwner(tx, auth, { organizationId, owner: userId, by: actor, how: 'given the role' })
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
    // Members who remove themselves have left.
    if (asked.userId === me.userId) return noteLeaving(auth, tx, me)
    const now = auth.clock.now()
    await noteRemoval(tx, membership, now)
    await cancelForMember(tx, { ...membership, now })
    await tellRemoved(tx, auth, membership)
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
    await noteLeaving(auth, tx, me)
  })
}

/** Otherwise a member whose roles were taken away could leave, and get them back by joining through a domain. */
async function noteLeaving(auth: OrganizationHeld, tx: Tx, me: Changer) {
  const { organizationId, userId, permissions } = me
  const roles = await rolesOfDomains(tx, organizationId)
  const given = await permissionsOfRoles(auth, tx, { organizationId, roles })
  if (given.some((name) => !permissions.includes(name))) {
    await noteRemoval(tx, { organizationId, userId }, auth.clock.now())
  }
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
    const how = 'handed over'
    await tellOfOwner(tx, auth, { organizationId, owner: userId, by: me.userId, how })
  })
}

const without = (roles: readonly string[], role: string) => roles.filter((each) => each !== role)
const withRole = (roles: readonly string[], role: string) => [...new Set([role, ...roles])]
