import { randomUUID } from 'node:crypto'
import { type Db, defineCursor, type Tx, t } from '@svc/core'
import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import { members, organizations, teamMembers, teams } from '../schema.ts'

/** A team, with the organization that it belongs to. */
export interface TeamKey {
  readonly organizationId: string
  readonly teamId: string
}

export interface TeamMembership extends TeamKey {
  readonly userId: string
}

const isTeam = ({ organizationId, teamId }: TeamKey) =>
  and(eq(teams.organizationId, organizationId), eq(teams.teamId, teamId))

const isIn = ({ organizationId, teamId }: TeamKey) =>
  and(eq(teamMembers.organizationId, organizationId), eq(teamMembers.teamId, teamId))

const isMemberOf = (membership: TeamMembership) =>
  and(isIn(membership), eq(teamMembers.userId, membership.userId))

const isOfMember = ({ organizationId, userId }: Omit<TeamMembership, 'teamId'>) =>
  and(eq(teamMembers.organizationId, organizationId), eq(teamMembers.userId, userId))

const columns = {
  teamId: teams.teamId,
  name: teams.name,
  roles: teams.roles,
  createdAt: teams.createdAt,
}

export type StoredTeam = Awaited<ReturnType<typeof allOf>>[number]

/** In the order of their names. */
export function allOf(db: Db, organizationId: string) {
  return db
    .select(columns)
    .from(teams)
    .where(eq(teams.organizationId, organizationId))
    .orderBy(asc(teams.name), asc(teams.teamId))
}

export async function find(db: Db, team: TeamKey) {
  const [found] = await db.select(columns).from(teams).where(isTeam(team))
  return found ?? null
}

export const countIn = (tx: Tx, organizationId: string) =>
  tx.$count(teams, eq(teams.organizationId, organizationId))

interface NewTeam {
  readonly organizationId: string
  /** If an import knows it. */
  readonly teamId?: string
  readonly name: string
  readonly roles: string[]
  readonly createdAt: Date
}

export async function insert(tx: Tx, team: NewTeam): Promise<StoredTeam> {
  const row = { ...team, teamId: team.teamId ?? randomUUID() }
  await tx.insert(teams).values(row)
  const { organizationId: _, ...stored } = row
  return stored
}

export async function update(tx: Tx, team: TeamKey, changes: { name: string; roles: string[] }) {
  await tx.update(teams).set(changes).where(isTeam(team))
}

/** Its members go with it. */
export async function deleteTeam(tx: Tx, team: TeamKey) {
  await tx.delete(teams).where(isTeam(team))
}

/** The roles that any of its members has for this team alone. */
export const rolesInside = (tx: Tx, team: TeamKey) => rolesWhere(tx, isIn(team))

/** The roles that a member has for single teams. */
export const rolesInTeamsOf = (tx: Tx, membership: Omit<TeamMembership, 'teamId'>) =>
  rolesWhere(tx, isOfMember(membership))

async function rolesWhere(tx: Tx, where: SQL | undefined) {
  const rows = await tx
    .selectDistinct({ role: sql<string>`unnest(${teamMembers.roles})` })
    .from(teamMembers)
    .where(where)
  return rows.map(({ role }) => role)
}

export async function findTeamMember(db: Db, membership: TeamMembership) {
  const [found] = await db
    .select({ roles: teamMembers.roles })
    .from(teamMembers)
    .where(isMemberOf(membership))
  return found ?? null
}

export const countTeamsOf = (tx: Tx, membership: Omit<TeamMembership, 'teamId'>) =>
  tx.$count(teamMembers, isOfMember(membership))

/** False if the member is in the team. */
export async function insertTeamMember(
  tx: Tx,
  row: TeamMembership & { roles: string[]; joinedAt: Date },
) {
  const inserted = await tx
    .insert(teamMembers)
    .values(row)
    .onConflictDoNothing()
    .returning({ userId: teamMembers.userId })
  return inserted.length === 1
}

export async function setTeamRoles(tx: Tx, membership: TeamMembership, roles: string[]) {
  await tx.update(teamMembers).set({ roles }).where(isMemberOf(membership))
}

/** False if the user was not in the team. */
export async function deleteTeamMember(tx: Tx, membership: TeamMembership) {
  const deleted = await tx
    .delete(teamMembers)
    .where(isMemberOf(membership))
    .returning({ userId: teamMembers.userId })
  return deleted.length === 1
}

const oldestFirst = defineCursor(
  'team members, oldest first',
  t.Object({ at: t.String({ format: 'date-time' }), userId: t.String({ format: 'uuid' }) }),
)

export async function page(
  db: Db,
  { after, limit, ...team }: TeamKey & { after?: string | undefined; limit: number },
) {
  const from = oldestFirst.read(after)
  const behind =
    from &&
    sql`(${teamMembers.joinedAt}, ${teamMembers.userId}) > (${from.at}::timestamptz, ${from.userId}::uuid)`
  const rows = await db
    .select({
      userId: teamMembers.userId,
      roles: teamMembers.roles,
      joinedAt: teamMembers.joinedAt,
    })
    .from(teamMembers)
    .where(and(isIn(team), behind))
    .orderBy(asc(teamMembers.joinedAt), asc(teamMembers.userId))
    .limit(limit + 1)
  return oldestFirst.page(rows, limit, ({ joinedAt, userId }) => ({
    at: joinedAt.toISOString(),
    userId,
  }))
}

/** Takes a role that was deleted from teams, and from members of teams. */
export async function takeFromTeams(tx: Tx, organizationId: string, role: string) {
  for (const table of [teams, teamMembers]) {
    await tx
      .update(table)
      .set({ roles: sql`array_remove(${table.roles}, ${role})` })
      .where(and(eq(table.organizationId, organizationId), sql`${role} = any (${table.roles})`))
  }
}

/** Whether a user is in a team of an open organization now. */
export async function isInTeam(db: Db, membership: TeamMembership) {
  const [found] = await db
    .select({ userId: teamMembers.userId })
    .from(teamMembers)
    .innerJoin(organizations, eq(organizations.organizationId, teamMembers.organizationId))
    .where(and(isMemberOf(membership), eq(organizations.state, 'open')))
  return found !== undefined
}

/** The teams of a user in all organizations. */
export function teamsOf(db: Db, userId: string) {
  return db
    .select({ organizationId: teams.organizationId, name: teams.name, roles: teamMembers.roles })
    .from(members)
    .innerJoin(
      teamMembers,
      and(
        eq(teamMembers.organizationId, members.organizationId),
        eq(teamMembers.userId, members.userId),
      ),
    )
    .innerJoin(
      teams,
      and(
        eq(teams.organizationId, teamMembers.organizationId),
        eq(teams.teamId, teamMembers.teamId),
      ),
    )
    .where(eq(members.userId, userId))
    .orderBy(asc(teams.name), asc(teams.teamId))
}
