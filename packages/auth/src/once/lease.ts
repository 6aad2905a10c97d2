import type { Db } from '@svc/core'
import { and, eq, lte } from 'drizzle-orm'
import { spent } from './schema.ts'

/** The right to do something alone, over all instances, for a while. */
export interface Lease {
  readonly id: string
  /** From then on another may have it: whoever took it may have died. */
  readonly until: Date
}

/** True for the one caller who has it now. It holds no connection, however long its work takes. */
export async function takeLease(db: Db, { id, until }: Lease, now: Date) {
  const taken = await db
    .insert(spent)
    .values({ id, until })
    .onConflictDoUpdate({ target: spent.id, set: { until }, setWhere: lte(spent.until, now) })
    .returning({ id: spent.id })
  return taken.length === 1
}

export async function giveBackLease(db: Db, { id, until }: Lease) {
  await db.delete(spent).where(and(eq(spent.id, id), eq(spent.until, until)))
}
