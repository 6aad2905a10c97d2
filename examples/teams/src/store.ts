import { randomUUID } from 'node:crypto'
import type { Db, Tx } from '@svc/core'
import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import { TeamNotFoundError } from './errors.ts'
import { members, teams } from './schema.ts'

interface Membership {
  readonly teamId: string
  readonly userId: string
}

export async function insertTeam(
  tx: Tx,
  { name, ownerId, at }: { name: string; ownerId: string; at: Date },
) {
  const teamId = randomUUID()
  await tx.insert(teams).values({ teamId, name, ownerId, createdAt: at })
  await tx.insert(members).values({ teamId, userId: ownerId, joinedAt: at })
  return { teamId, name, ownerId, userIds: [ownerId] }
}

/**
 * A team of the caller, which no other transaction can change until this one ends. A function that also locks an account
 * must lock the account first: a purge locks in that order.
 */
export async function lockTeam(tx: Tx, { teamId, userId }: Membership) {
  const [team] = await tx.select().from(teams).where(eq(teams.teamId, teamId)).for('update')
  const userIds = team ? await membersOf(tx, teamId) : []
  if (!team || !userIds.includes(userId)) throw new TeamNotFoundError()
  return { ...team, userIds }
}

async function membersOf(db: Db, teamId: string) {
  const rows = await db
    .select({ userId: members.userId })
    .from(members)
    .where(eq(members.teamId, teamId))
    .orderBy(asc(members.joinedAt), asc(members.userId))
  return rows.map(({ userId }) => userId)
}

export async function rename(tx: Tx, { teamId, name }: { teamId: string; name: string }) {
  await tx.update(teams).set({ name }).where(eq(teams.teamId, teamId))
}

export async function insertMember(tx: Tx, { at, ...membership }: Membership & { at: Date }) {
  await tx.insert(members).values({ ...membership, joinedAt: at })
}

/** Takes a member out of a locked team. If it was the owner, the oldest member owns the team from now on. */
export async function deleteMember(tx: Tx, { teamId, userId }: Membership) {
  await tx.delete(members).where(and(eq(members.teamId, teamId), eq(members.userId, userId)))
  const [oldest] = await membersOf(tx, teamId)
  await tx
    .update(teams)
    .set({ ownerId: oldest ?? null })
    .where(and(eq(teams.teamId, teamId), eq(teams.ownerId, userId)))
}

/** The teams of a user with their members, in the order of their names. */
export async function teamsOf(db: Db, userId: string) {
  const own = db.select({ id: members.teamId }).from(members).where(eq(members.userId, userId))
  const rows = await db
    .select({
      teamId: teams.teamId,
      name: teams.name,
      ownerId: teams.ownerId,
      userId: members.userId,
    })
    .from(teams)
    .innerJoin(members, eq(members.teamId, teams.teamId))
    .where(inArray(teams.teamId, own))
    .orderBy(asc(teams.name), asc(teams.teamId), asc(members.joinedAt), asc(members.userId))
  const byId = Map.groupBy(rows, ({ teamId }) => teamId)
  return [...byId.values()].flatMap(([first, ...others]) =>
    first
      ? [
          {
            teamId: first.teamId,
            name: first.name,
            ownerId: first.ownerId ?? first.userId,
            userIds: [first, ...others].map((row) => row.userId),
          },
        ]
      : [],
  )
}

export async function nameOf(db: Db, teamId: string) {
  const [team] = await db.select({ name: teams.name }).from(teams).where(eq(teams.teamId, teamId))
  return team?.name ?? null
}

/** The account's data for its export. */
export function exportTeams(db: Db, { userId }: { userId: string }) {
  return db
    .select({ name: teams.name, joinedAt: members.joinedAt })
    .from(members)
    .innerJoin(teams, eq(teams.teamId, members.teamId))
    .where(eq(members.userId, userId))
    .orderBy(asc(members.joinedAt))
}

/** Locks every team of a user. The order prevents two purges from waiting for each other. */
export async function lockTeamsOf(tx: Tx, userId: string) {
  const own = tx.select({ id: members.teamId }).from(members).where(eq(members.userId, userId))
  const locked = await tx
    .select({ teamId: teams.teamId })
    .from(teams)
    .where(inArray(teams.teamId, own))
    .orderBy(asc(teams.teamId))
    .for('update')
  const found = []
  for (const { teamId } of locked) found.push({ teamId, userIds: await membersOf(tx, teamId) })
  // An owner may have removed the user while this waited for the lock.
  return found.filter(({ userIds }) => userIds.includes(userId))
}

/** Deletes teams without members. */
export async function deleteEmptyTeams(db: Db) {
  await db.delete(teams).where(isNull(teams.ownerId))
}
