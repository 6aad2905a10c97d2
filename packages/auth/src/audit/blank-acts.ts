import type { Tx } from '@svc/core'
import { eq, isNull, or, sql } from 'drizzle-orm'
import { auditEvents } from './schema.ts'

/**
 * For an account that goes. What it did stays, for others may have to know what was done to them. Gone is where it
 * was, the requests that it signed, and the details of what it did to itself.
 */
export async function blankActs(tx: Tx, userId: string) {
  const { actor, target, details } = auditEvents
  const toItself = or(isNull(target), eq(target, userId))
  await tx
    .update(auditEvents)
    .set({
      address: null,
      proof: null,
      details: sql`case when ${toItself} then null else ${details} end`,
    })
    .where(eq(actor, userId))
}
