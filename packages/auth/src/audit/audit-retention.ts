import { type Db, defineJob } from '@svc/core'
import { asc, inArray, lt } from 'drizzle-orm'
import { runningAuth } from '../auth.ts'
import { auditEvents } from './schema.ts'

const dayMillis = 86_400_000
// Each batch is a transaction of a second at most, so that nothing waits for a year's worth of rows.
const batchSize = 10_000

/** Deletes what is older than `SVC_AUTH_AUDIT_RETENTION_DAYS`. */
export const auditRetention = defineJob('auth.audit-retention')
  .cron('41 3 * * *')
  .handler(async (_input, { db, clock, signal }) => {
    const days = runningAuth().env.SVC_AUTH_AUDIT_RETENTION_DAYS
    const before = new Date(clock.now().getTime() - days * dayMillis)
    while (!signal.aborted && (await forgetBatch(db, before)) === batchSize);
  })

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
