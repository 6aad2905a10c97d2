import { type Db, defineJob, type Tx } from '@svc/core'
import { and, asc, desc, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import { mostExported } from '../accounts/accounts.ts'
import { heldOn } from '../auth.ts'
import type { HeldBy } from '../capability/capability.ts'
import { auditContract } from './contract.ts'
import type { AuditEnv } from './env.ts'
import { auditEvents } from './schema.ts'

const dayMillis = 86_400_000
// Each batch is a transaction of a second at most, so that nothing waits for a year's worth of rows.
const batchSize = 10_000

/** Deletes what is older than `SVC_AUTH_AUDIT_RETENTION_DAYS`. */
export const auditRetention = defineJob('auth.audit-retention')
  .cron('41 3 * * *')
  .handler(async (_input, { db, clock, signal }) => {
    const days = auditOn(db).env.SVC_AUTH_AUDIT_RETENTION_DAYS
    const before = new Date(clock.now().getTime() - days * dayMillis)
    while (!signal.aborted && (await forgetBatch(db, before)) === batchSize);
  })

const auditOn = (db: Db) =>
  heldOn(db, auditContract) as HeldBy<typeof auditContract, { env: AuditEnv }>

async function forgetBatch(db: Db, before: Date) {
  const oldest = db
    .select({ auditId: auditEvents.auditId })
    .from(auditEvents)
    .where(lt(auditEvents.at, before))
    .orderBy(asc(auditEvents.at))
    .limit(batchSize)
  const { rowCount } = await db.delete(auditEvents).where(inArray(auditEvents.auditId, oldest))
  return rowCount
}

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
