import type { Db, Tx } from '@svc/core'
import { and, desc, eq, isNull, or, sql } from 'drizzle-orm'
import { mostExported } from '../accounts/accounts.ts'
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
      // The chain keeps their digest, which tells nothing without it.
      salt: null,
      // Derived from the address, so the address could be found from it.
      repeatKey: null,
      details: sql`case when ${toItself} then null else ${details} end`,
    })
    .where(or(own, and(isNull(actor), eq(target, userId))))
}

/** What the account has done, without the signed requests that prove it. */
export function exportActs(db: Db, userId: string) {
  return db
    .select({
      at: auditEvents.at,
      act: auditEvents.act,
      outcome: auditEvents.outcome,
      target: auditEvents.target,
      details: auditEvents.details,
      keyId: auditEvents.keyId,
      address: auditEvents.address,
      requestId: auditEvents.requestId,
      times: auditEvents.times,
      lastAt: auditEvents.lastAt,
    })
    .from(auditEvents)
    .where(eq(auditEvents.actor, userId))
    .orderBy(desc(auditEvents.at), desc(auditEvents.auditId))
    .limit(mostExported)
}
