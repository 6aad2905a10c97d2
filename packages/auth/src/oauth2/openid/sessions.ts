import type { Db, Tx } from '@svc/core'
import { and, eq, inArray, lte, sql } from 'drizzle-orm'
import type { Succession } from '../../capability/capability.ts'
import { openidSessions } from './schema.ts'

type Session = typeof openidSessions.$inferSelect

/** Begins the session of a device at an application, or continues it. Returns its id. */
export async function keepSession(tx: Tx, { signedInAt, ...session }: Omit<Session, 'sid'>) {
  const { keyId, clientId, sid } = openidSessions
  const [kept] = await tx
    .insert(openidSessions)
    .values({ ...session, signedInAt })
    .onConflictDoUpdate({ target: [keyId, clientId], set: { signedInAt } })
    .returning({ sid })
  // An upsert without a condition always returns its row.
  return (kept as { sid: string }).sid
}

/** Ends the sessions of these keys. Returns them: each is returned once. */
export function endSessions(tx: Tx, keyIds: string[]): Promise<Session[]> {
  return tx.delete(openidSessions).where(inArray(openidSessions.keyId, keyIds)).returning()
}

// As many as one statement handles easily.
const most = 1000

/** The same for keys that have ended without an event, as when everyone is signed out. At most 1,000 at a time. */
export function endSessionsOfDeadKeys(tx: Tx): Promise<Session[]> {
  const { sid, keyId } = openidSessions
  // Only the key of another folder is named, because that folder owns its tables.
  const isDead = sql`not exists (select from svc_auth.device_keys k where k.key_id = ${keyId} and k.state = 'active')`
  const dead = tx.select({ sid }).from(openidSessions).where(isDead).limit(most)
  return tx.delete(openidSessions).where(inArray(sid, dead)).returning()
}

/** Passes the sessions of a key to its successor. */
export async function handOnSessions(tx: Tx, { userId, from, to }: Succession) {
  await tx
    .update(openidSessions)
    .set({ keyId: to })
    .where(and(eq(openidSessions.userId, userId), eq(openidSessions.keyId, from)))
}

// A key that is not replaced lives for 90 days.
const longestMillis = 100 * 86_400_000

/** Deletes those that no application can still have. */
export async function forgetSessions(db: Db, now: Date) {
  const before = new Date(now.getTime() - longestMillis)
  await db.delete(openidSessions).where(lte(openidSessions.signedInAt, before))
}

/** What is stored of an account's sessions at other applications, for an export. */
export function exportSessions(db: Db, userId: string) {
  const { clientId, keyId, signedInAt } = openidSessions
  return db
    .select({ clientId, keyId, signedInAt })
    .from(openidSessions)
    .where(eq(openidSessions.userId, userId))
    .orderBy(signedInAt)
}
