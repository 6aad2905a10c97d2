import type { Consenting, StandingReader } from '@svc/auth/server'
import type { Db, Tx } from '@svc/core'
import { and, asc, eq, lte, sql } from 'drizzle-orm'
import type { OrganizationStanding, store } from '../membership/membership.ts'
import { members, organizations, serviceAccounts } from '../schema.ts'

const isOne = ({ organizationId, userId }: store.Membership) =>
  and(eq(serviceAccounts.organizationId, organizationId), eq(serviceAccounts.userId, userId))

export async function insertProgram(tx: Tx, program: typeof serviceAccounts.$inferInsert) {
  await tx.insert(serviceAccounts).values(program)
}

export function programsOf(db: Db, organizationId: string) {
  const { userId, roles, createdAt } = serviceAccounts
  return db
    .select({ userId, roles, createdAt })
    .from(serviceAccounts)
    .where(eq(serviceAccounts.organizationId, organizationId))
    .orderBy(asc(createdAt), asc(userId))
}

export async function setProgramRoles(tx: Tx, program: store.Membership, roles: string[]) {
  await tx.update(serviceAccounts).set({ roles }).where(isOne(program))
}

/** Also when an operator has deleted the account. */
export async function forgetProgram(tx: Tx, userId: string) {
  await tx.delete(serviceAccounts).where(eq(serviceAccounts.userId, userId))
}

interface Asked extends Consenting {
  /** One organization instead of all of the user's. */
  readonly tenant?: string
}

/** As many as a page can show at once. */
export const mostAccounts = 50
const mostShown = 100

/** What a user is in their organizations now, in the order of names. It is read as a request in each would read it. */
export async function standingsOf(
  db: Db,
  reader: StandingReader,
  { userId, facts, tenant }: Asked,
) {
  const only = tenant === undefined ? sql`true` : sql`m.organization_id = ${tenant}::uuid`
  const { rows } = await db.execute<{ member: unknown }>(sql`
    select ${sql.raw(reader.select)} as member
    from svc_auth.users u cross join (
      select m.organization_id::text as tenant, o.name
      from ${members} m join ${organizations} o on o.organization_id = m.organization_id
      where m.user_id = ${userId} and o.state = 'open' and ${only}
      order by o.name, o.organization_id limit ${mostShown}) asked
    where u.user_id = ${userId} order by asked.name, asked.tenant`)
  // The capability of this package has made the reader.
  return rows.flatMap(({ member }) =>
    member === null ? [] : [reader.read(member, facts) as OrganizationStanding],
  )
}

/** Those of organizations that can't be opened any more. */
export async function duePrograms(db: Db, now: Date) {
  const rows = await db
    .select({ userId: serviceAccounts.userId })
    .from(serviceAccounts)
    .innerJoin(organizations, eq(organizations.organizationId, serviceAccounts.organizationId))
    .where(and(eq(organizations.state, 'closed'), lte(organizations.purgeAt, now)))
  return rows.map(({ userId }) => userId)
}
