import type { Db, Tx } from '@svc/core'
import { and, asc, eq, lte } from 'drizzle-orm'
import type { store } from '../membership/membership.ts'
import { organizations, serviceAccounts } from '../schema.ts'

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

/** Those of organizations that can't be opened any more. */
export async function duePrograms(db: Db, now: Date) {
  const rows = await db
    .select({ userId: serviceAccounts.userId })
    .from(serviceAccounts)
    .innerJoin(organizations, eq(organizations.organizationId, serviceAccounts.organizationId))
    .where(and(eq(organizations.state, 'closed'), lte(organizations.purgeAt, now)))
  return rows.map(({ userId }) => userId)
}
