import { randomUUID } from 'node:crypto'
import { type Db, defineCursor, type Tx, t } from '@svc/core'
import { and, asc, count, eq, inArray, isNull, lte, not, sql } from 'drizzle-orm'
import { members, organizations, roles, type StoredPolicies, serviceAccounts } from '../schema.ts'
import { OrganizationNotFoundError } from './errors.ts'
import { forgetRemoval } from './removals.ts'

export interface Membership {
  readonly organizationId: string
  readonly userId: string
}

const isMember = ({ organizationId, userId }: Membership) =>
  and(eq(members.organizationId, organizationId), eq(members.userId, userId))

const named = (organizationId: string) => eq(organizations.organizationId, organizationId)

/**
 * The roles of a member’s teams, which count in the whole organization. Columns are written out: in a statement on one
 * table, Drizzle leaves out a column's table, and the subselect would compare its own column with itself.
 */
const ofTeams = sql`select role from organizations.team_members b
  join organizations.teams t on t.organization_id = b.organization_id and t.team_id = b.team_id, unnest(t.roles) role
  where b.organization_id = organizations.members.organization_id and b.user_id = organizations.members.user_id`

const teamRoles = sql<string[]>`array(${ofTeams})`

/** The permissions of the roles that an organization has made, of those that a member has. */
const granted = sql<string[]>`(select coalesce(array_agg(p), '{}')
  from organizations.roles g, unnest(g.permissions) p
  where g.organization_id = organizations.members.organization_id
    and (g.name = any (organizations.members.roles) or g.name in (${ofTeams})))`

interface NewOrganization {
  /** If an import knows it. */
  readonly organizationId?: string
  readonly name: string
  readonly slug: string
  readonly at: Date
}

/** Null if the slug, or the id, is in use. */
export async function insertOrganization(
  tx: Tx,
  { organizationId = randomUUID(), name, slug, at }: NewOrganization,
) {
  const row = { organizationId, name, slug, state: 'open' as const, createdAt: at }
  const [inserted] = await tx.insert(organizations).values(row).onConflictDoNothing().returning()
  return inserted ?? null
}

/**
 * An open organization, whose members no other transaction can change until this one ends. A function that also locks
 * an account must lock the account first: a purge locks in that order.
 */
export async function lockOrganization(tx: Tx, organizationId: string) {
  const [found] = await tx.select().from(organizations).where(named(organizationId)).for('update')
  if (found?.state !== 'open') throw new OrganizationNotFoundError()
  return found
}

export async function findOrganization(db: Db, organizationId: string) {
  const [found] = await db.select().from(organizations).where(named(organizationId))
  return found ?? null
}

/** Whether a slug is free is known only by trying: null if it is in use. */
export async function update(
  tx: Tx,
  organizationId: string,
  changes: { name?: string | undefined; slug?: string | undefined },
) {
  const isFree =
    changes.slug === undefined
      ? sql`true`
      : sql`not exists (select from ${organizations} o where o.slug = ${changes.slug} and o.organization_id <> ${organizationId})`
  const [updated] = await tx
    .update(organizations)
    .set({ name: sql`${organizations.name}`, ...changes })
    .where(and(named(organizationId), isFree))
    .returning()
  return updated ?? null
}

interface Closing {
  readonly organizationId: string
  readonly at: Date
  readonly purgeAt: Date
  /** Then no owner can open it again. */
  readonly isByOperator?: boolean
}

/** open → closed. False if it is closed. */
export async function close(
  tx: Tx,
  { organizationId, at, purgeAt, isByOperator = false }: Closing,
) {
  const closed = await tx
    .update(organizations)
    .set({ state: 'closed', closedAt: at, purgeAt, isClosedByOperator: isByOperator })
    .where(and(named(organizationId), eq(organizations.state, 'open')))
    .returning({ organizationId: organizations.organizationId })
  return closed.length === 1
}

/** closed → open, for one of its owners. Null if it can't be opened by this user, or was closed by an operator. */
export async function reopen(tx: Tx, { organizationId, userId }: Membership, now: Date) {
  const isOwner = sql`exists (select from ${members} where ${isMember({ organizationId, userId })} and 'owner' = any (${members.roles}))`
  const [opened] = await tx
    .update(organizations)
    .set({ state: 'open', closedAt: null, purgeAt: null })
    .where(
      and(
        named(organizationId),
        eq(organizations.state, 'closed'),
        eq(organizations.isClosedByOperator, false),
        sql`${organizations.purgeAt} > ${now.toISOString()}`,
        isOwner,
      ),
    )
    .returning()
  return opened ?? null
}

/**
 * Deletes those whose window is over, with everything that refers to them. One with service accounts waits for the next
 * sweep: without its row, no sweep would find their accounts, whose keys would stay.
 */
export async function purge(db: Db, now: Date) {
  const hasPrograms = sql`exists (select from organizations.service_accounts s
    where s.organization_id = organizations.organizations.organization_id)`
  await db
    .delete(organizations)
    .where(
      and(eq(organizations.state, 'closed'), lte(organizations.purgeAt, now), not(hasPrograms)),
    )
}

export async function insertMember(
  tx: Tx,
  { organizationId, userId, roles: held, at }: Membership & { roles: string[]; at: Date },
) {
  const row = { organizationId, userId, roles: held, joinedAt: at }
  const inserted = await tx
    .insert(members)
    .values(row)
    .onConflictDoNothing()
    .returning({ userId: members.userId })
  await forgetRemoval(tx, { organizationId, userId })
  return inserted.length === 1
}

export async function setRoles(tx: Tx, membership: Membership, held: string[]) {
  await tx.update(members).set({ roles: held }).where(isMember(membership))
}

export async function deleteMember(tx: Tx, membership: Membership) {
  await tx.delete(members).where(isMember(membership))
}

/** A member with the permissions of the roles that the organization has made. */
export async function findMember(db: Db, membership: Membership) {
  const [found] = await db
    .select({
      userId: members.userId,
      roles: members.roles,
      joinedAt: members.joinedAt,
      teamRoles,
      granted,
    })
    .from(members)
    .where(isMember(membership))
  return found ?? null
}

/** A member of an open organization, or one of its service accounts, with what it asks of members. */
export async function findOpenMember(db: Db, membership: Membership) {
  const { organizationId, userId } = membership
  const { policies } = organizations
  const program = and(
    eq(serviceAccounts.organizationId, organizationId),
    eq(serviceAccounts.userId, userId),
  )
  const [found] = await db
    .select({ policies, joinedAt: members.joinedAt, program: serviceAccounts.userId })
    .from(organizations)
    .leftJoin(members, isMember(membership))
    .leftJoin(serviceAccounts, program)
    .where(and(named(organizationId), eq(organizations.state, 'open')))
  return found && (found.joinedAt ?? found.program) !== null ? found : null
}

export async function setPolicies(tx: Tx, organizationId: string, policies: StoredPolicies) {
  const stored = Object.keys(policies).length === 0 ? null : policies
  await tx.update(organizations).set({ policies: stored }).where(named(organizationId))
}

/** Those of the users who are its members or its service accounts, also if it is closed. */
export async function membersAmong(db: Db, organizationId: string, userIds: string[]) {
  if (userIds.length === 0) return []
  const among = (table: typeof members | typeof serviceAccounts) =>
    and(
      eq(table.organizationId, organizationId),
      sql`${table.userId} = any (${sql.param(userIds)}::uuid[])`,
    )
  const rows = await db
    .select({ userId: members.userId })
    .from(members)
    .where(among(members))
    .unionAll(
      db
        .select({ userId: serviceAccounts.userId })
        .from(serviceAccounts)
        .where(among(serviceAccounts)),
    )
  return rows.map(({ userId }) => userId)
}

/** A service account with the permissions of the roles that the organization has made. */
export async function findProgram(db: Db, { organizationId, userId }: Membership) {
  const [found] = await db
    .select({
      userId: serviceAccounts.userId,
      roles: serviceAccounts.roles,
      createdAt: serviceAccounts.createdAt,
      // Written out, as for members.
      granted: sql<string[]>`(select coalesce(array_agg(p), '{}')
        from organizations.roles g, unnest(g.permissions) p
        where g.organization_id = organizations.service_accounts.organization_id
          and g.name = any (organizations.service_accounts.roles))`,
    })
    .from(serviceAccounts)
    .where(
      and(eq(serviceAccounts.organizationId, organizationId), eq(serviceAccounts.userId, userId)),
    )
  return found ?? null
}

export async function countMembers(db: Db, organizationId: string) {
  return db.$count(members, eq(members.organizationId, organizationId))
}

/** The owners but for one member. */
export async function countOtherOwners(tx: Tx, { organizationId, userId }: Membership) {
  const [found] = await tx
    .select({ owners: count() })
    .from(members)
    .where(
      and(
        eq(members.organizationId, organizationId),
        sql`'owner' = any (${members.roles})`,
        sql`${members.userId} <> ${userId}`,
      ),
    )
  return found?.owners ?? 0
}

/** How many organizations a user owns, without the personal one. */
export async function countOwned(db: Db, userId: string) {
  const [found] = await db
    .select({ owned: count() })
    .from(members)
    .innerJoin(organizations, eq(organizations.organizationId, members.organizationId))
    .where(
      and(
        eq(members.userId, userId),
        sql`'owner' = any (${members.roles})`,
        isNull(organizations.personalOf),
      ),
    )
  return found?.owned ?? 0
}

/** The organizations of a user in the order of their names: the open ones, and closed ones that the user can open. */
export function organizationsOf(db: Db, userId: string) {
  return db
    .select({
      organizationId: organizations.organizationId,
      name: organizations.name,
      slug: organizations.slug,
      createdAt: organizations.createdAt,
      purgeAt: organizations.purgeAt,
      personalOf: organizations.personalOf,
      roles: members.roles,
    })
    .from(members)
    .innerJoin(organizations, eq(organizations.organizationId, members.organizationId))
    .where(
      and(
        eq(members.userId, userId),
        sql`(${organizations.state} = 'open'
          or 'owner' = any (${members.roles}) and not ${organizations.isClosedByOperator})`,
      ),
    )
    .orderBy(asc(organizations.name), asc(organizations.organizationId))
}

const oldestFirst = defineCursor(
  'members, oldest first',
  t.Object({ at: t.String({ format: 'date-time' }), userId: t.String({ format: 'uuid' }) }),
)

interface PageOfMembers {
  readonly organizationId: string
  /** The owners alone. */
  readonly role?: 'owner' | undefined
  readonly after?: string | undefined
  readonly limit: number
}

export async function memberPage(db: Db, { organizationId, role, after, limit }: PageOfMembers) {
  const from = oldestFirst.read(after)
  const behind =
    from &&
    sql`(${members.joinedAt}, ${members.userId}) > (${from.at}::timestamptz, ${from.userId}::uuid)`
  const rows = await db
    .select({ userId: members.userId, roles: members.roles, joinedAt: members.joinedAt })
    .from(members)
    .where(
      and(
        eq(members.organizationId, organizationId),
        role && sql`'owner' = any (${members.roles})`,
        behind,
      ),
    )
    .orderBy(asc(members.joinedAt), asc(members.userId))
    .limit(limit + 1)
  return oldestFirst.page(rows, limit, ({ joinedAt, userId }) => ({
    at: joinedAt.toISOString(),
    userId,
  }))
}

/** Locks every organization of a user. The order prevents two purges from waiting for each other. */
export async function lockOrganizationsOf(tx: Tx, userId: string) {
  const own = tx
    .select({ id: members.organizationId })
    .from(members)
    .where(eq(members.userId, userId))
  const locked = await tx
    .select({ organizationId: organizations.organizationId, state: organizations.state })
    .from(organizations)
    .where(inArray(organizations.organizationId, own))
    .orderBy(asc(organizations.organizationId))
    .for('update')
  return locked
}

/** Who has been a member for longest, admins first. */
export async function findHeir(tx: Tx, organizationId: string) {
  const [heir] = await tx
    .select({ userId: members.userId, roles: members.roles })
    .from(members)
    .where(eq(members.organizationId, organizationId))
    .orderBy(
      sql`('admin' = any (${members.roles})) desc`,
      asc(members.joinedAt),
      asc(members.userId),
    )
    .limit(1)
  return heir ?? null
}

/** Roles that an organization has made, in the order of their names on pages. */
export function rolesOf(db: Db, organizationId: string, names?: readonly string[]) {
  const among = names && inArray(roles.name, [...names])
  return db
    .select({ name: roles.name, displayName: roles.displayName, permissions: roles.permissions })
    .from(roles)
    .where(and(eq(roles.organizationId, organizationId), among))
    .orderBy(asc(roles.displayName), asc(roles.name))
}

export type StoredRole = Awaited<ReturnType<typeof rolesOf>>[number]
