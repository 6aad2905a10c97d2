import type { Db, Tx } from '@svc/core'
import { and, eq, sql } from 'drizzle-orm'
import { imported, members, organizations } from '../schema.ts'

/** False before the migration of imports. */
export async function isMigrated(db: Db) {
  const { rows } = await db.execute(
    sql`select to_regclass('organizations.imported') is not null as "isThere"`,
  )
  return rows[0]?.['isThere'] === true
}

/** An organization, open or closed. Locks it, as every change of it does. */
export async function lockAny(tx: Tx, organizationId: string) {
  const [found] = await tx
    .select()
    .from(organizations)
    .where(eq(organizations.organizationId, organizationId))
    .for('update')
  return found ?? null
}

export async function hasOwner(tx: Tx, organizationId: string) {
  const owners = and(
    eq(members.organizationId, organizationId),
    sql`'owner' = any (${members.roles})`,
  )
  return (await tx.$count(members, owners)) > 0
}

/** Writes down that an export has this thing. False if a run before has done so. */
export async function mark(tx: Tx, row: Mark & { readonly userId?: string }) {
  const marked = await tx
    .insert(imported)
    .values(row)
    .onConflictDoNothing()
    .returning({ thing: imported.thing })
  return marked.length === 1
}

interface Mark {
  readonly organizationId: string
  readonly thing: string
}

export async function isMarked(tx: Tx, { organizationId, thing }: Mark) {
  const same = and(eq(imported.organizationId, organizationId), eq(imported.thing, thing))
  return (await tx.$count(imported, same)) > 0
}

export async function forgetImported(tx: Tx, userId: string) {
  await tx.delete(imported).where(eq(imported.userId, userId))
}
