import { randomBytes } from 'node:crypto'
import { lockAccount, type Standing } from '@svc/auth/server'
import { ForbiddenError, type Tx } from '@svc/core'
import {
  OrganizationFullError,
  OrganizationNotFoundError,
  SlugTakenError,
} from '../membership/errors.ts'
import { memberChanged, organizationChanged } from '../membership/events.ts'
import {
  type By,
  change,
  countMembers,
  findMember,
  note,
  type OrganizationHeld,
  permissionsOfMember,
  store,
} from '../membership/membership.ts'
import { tellOfClosing, tellOfReopening } from '../notices/notices.ts'
import { findOrMake, refusePersonal } from '../personal/personal.ts'

interface Wanted {
  name: string
  slug?: string | undefined
}

interface Row {
  organizationId: string
  name: string
  slug: string
  createdAt: Date
}

const shown = ({ organizationId, name, slug, createdAt }: Row) => ({
  organizationId,
  name,
  slug,
  createdAt: createdAt.toISOString(),
})

/** An organization, with what the caller may do in it. */
const ofCaller = (auth: OrganizationHeld, row: Row, roles: readonly string[]) => ({
  ...shown(row),
  roles: [...roles],
  permissions: [...auth.permissions.ofRole.owner],
})

export async function createOrganization(auth: OrganizationHeld, wanted: Wanted, by: By) {
  await auth.limits.take('organization create by account', by.userId)
  const at = auth.clock.now()
  return auth.db.transaction(async (tx) => {
    // Its purge would not see an organization that is created meanwhile.
    if (!(await lockAccount(tx, by.userId))) throw new ForbiddenError()
    if ((await store.countOwned(tx, by.userId)) >= auth.maxOwned) throw new OrganizationFullError()
    const created = await insert(tx, wanted, at)
    const { organizationId } = created
    const owner = { organizationId, userId: by.userId, roles: ['owner'], at }
    await store.insertMember(tx, owner)
    await note(auth, tx, { act: 'organization.created', organizationId, by })
    return ofCaller(auth, created, owner.roles)
  })
}

/** A slug that was asked for is taken as it is. Otherwise it is made of the name. */
async function insert(tx: Tx, { name, slug }: Wanted, at: Date) {
  const plain = slug ?? slugOf(name)
  const first = plain && (await store.insertOrganization(tx, { name, slug: plain, at }))
  if (first) return first
  if (slug !== undefined) throw new SlugTakenError()
  const other = freshSlug(plain)
  const second = await store.insertOrganization(tx, { name, slug: other, at })
  if (!second) throw new SlugTakenError()
  return second
}

/** One that no other organization has, like that which is taken. */
export const freshSlug = (taken: string) =>
  `${taken.slice(0, 36) || 'org'}-${randomBytes(4).toString('hex')}`

/** Empty if the name has no letter or digit that an address can have. */
export function slugOf(name: string) {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 36)
    .replace(/-+$/, '')
  return plain.length < 2 ? '' : plain
}

export async function listOrganizations(auth: OrganizationHeld, { userId, origin }: By) {
  if (auth.personal) await findOrMake(auth, userId, origin)
  const rows = await store.organizationsOf(auth.db, userId)
  return rows.map(({ purgeAt, personalOf, roles, ...row }) => ({
    ...shown(row),
    roles,
    ...(personalOf !== null && { isPersonal: true as const }),
    ...(purgeAt && { purgeAt: purgeAt.toISOString() }),
  }))
}

interface Changing {
  standing: Standing
  by: By
}

export async function updateOrganization(
  auth: OrganizationHeld,
  changes: Partial<Wanted>,
  { standing, by }: Changing,
) {
  return change(auth, { standing, by, permission: 'organization:update' }, async (tx, me) => {
    const { organizationId } = me
    const updated = await store.update(tx, organizationId, changes)
    if (!updated) throw new SlugTakenError()
    const details = { changed: Object.keys(changes) }
    await note(auth, tx, { act: 'organization.updated', organizationId, by, details })
    return shown(updated)
  })
}

interface Joined {
  readonly organizationId: string
  readonly by: By
  readonly details: Record<string, unknown>
}

/** What follows when a user has become a member, in the transaction that has locked the organization. */
export async function noteJoined(
  auth: OrganizationHeld,
  tx: Tx,
  { organizationId, by, details }: Joined,
) {
  // The new member is counted.
  if ((await countMembers(tx, organizationId)) > auth.maxMembers) throw new OrganizationFullError()
  const { userId } = by
  await note(auth, tx, {
    act: 'organization.member_added',
    organizationId,
    by,
    target: userId,
    details,
  })
  await memberChanged.emit({ organizationId, userId })
}

/** An organization, with what one of its members may do in it. Null if the user is none. */
export async function shownTo(auth: OrganizationHeld, tx: Tx, { row, userId }: ShownTo) {
  const member = await findMember(tx, { organizationId: row.organizationId, userId })
  if (!member) return null
  const permissions = [...permissionsOfMember(auth, member)]
  return { ...shown(row), roles: member.roles, permissions }
}

interface ShownTo {
  readonly row: Row
  readonly userId: string
}

const dayMillis = 86_400_000

/** From its commit on, no member is one: requests are refused, and streams end. */
export async function closeOrganization(auth: OrganizationHeld, { standing, by }: Changing) {
  const at = auth.clock.now()
  const purgeAt = new Date(at.getTime() + auth.windowDays * dayMillis)
  return change(auth, { standing, by, permission: 'organization:close' }, async (tx, me) => {
    const { organizationId } = me
    await refusePersonal(tx, organizationId)
    await store.close(tx, { organizationId, at, purgeAt })
    await note(auth, tx, { act: 'organization.closed', organizationId, by })
    await organizationChanged.emit({ organizationId })
    await tellOfClosing(tx, auth, { organizationId, by: me.userId, purgeAt })
    return { purgeAt: purgeAt.toISOString() }
  })
}

export async function reopenOrganization(auth: OrganizationHeld, organizationId: string, by: By) {
  await auth.limits.take('organization change by account', by.userId)
  return auth.db.transaction(async (tx) => {
    const membership = { organizationId, userId: by.userId }
    const opened = await store.reopen(tx, membership, auth.clock.now())
    if (!opened) throw new OrganizationNotFoundError()
    await note(auth, tx, { act: 'organization.reopened', organizationId, by })
    await organizationChanged.emit({ organizationId })
    await tellOfReopening(tx, auth, { organizationId, by: by.userId })
    return shown(opened)
  })
}
