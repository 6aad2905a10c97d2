import type { Db } from '@svc/core'
import { desc, eq } from 'drizzle-orm'
import { mostExported } from '../accounts/most-exported.ts'
import { auditEvents } from './schema.ts'

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
