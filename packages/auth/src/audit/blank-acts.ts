import type { Tx } from '@svc/core'
import { and, eq, isNull, or, sql } from 'drizzle-orm'
import { auditEvents } from './schema.ts'

/**
 * For an account that goes. What it did stays, for others may have to know what was done to them. Gone is where it
 * was, the requests that it signed, and the details of what it did to itself. Whoever tried to sign in as it, or came by
 * a link that was mailed to it, is no actor, and may well have been its owner.
 */
export async function blankActs(tx: Tx, userId: string) {
  const { actor, target, details } = auditEvents
  const own = eq(actor, userId)
  const toItself = and(own, or(isNull(target), eq(target, userId)))
  await tx
    .update(auditEvents)
    .set({
      address: null,
      proof: null,
      // Derived from the address, so the address could be found from it.
      repeatKey: null,
      details: sql`case when ${toItself} then null else ${details} end`,
    })
    .where(or(own, and(isNull(actor), eq(target, userId))))
}
