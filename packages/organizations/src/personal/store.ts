import { randomUUID } from 'node:crypto'
import type { Db, Tx } from '@svc/core'
import { and, eq, isNotNull } from 'drizzle-orm'
import { organizations } from '../schema.ts'

/** Null if an operator has closed it. */
export async function findPersonal(db: Db, userId: string) {
  const [found] = await db
    .select({ organizationId: organizations.organizationId })
    .from(organizations)
    .where(and(eq(organizations.personalOf, userId), eq(organizations.state, 'open')))
  return found?.organizationId ?? null
}

type NewPersonal = Omit<typeof organizations.$inferInsert, 'organizationId' | 'state'>

/** Null if the user has one. */
export async function insertPersonal(tx: Tx, personal: NewPersonal) {
  const [inserted] = await tx
    .insert(organizations)
    .values({ ...personal, organizationId: randomUUID(), state: 'open' })
    .onConflictDoNothing()
    .returning({ organizationId: organizations.organizationId })
  return inserted?.organizationId ?? null
}

export async function isPersonal(db: Db, organizationId: string) {
  const isIt = and(
    eq(organizations.organizationId, organizationId),
    isNotNull(organizations.personalOf),
  )
  return (await db.$count(organizations, isIt)) > 0
}
