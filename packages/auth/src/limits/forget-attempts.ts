import type { Db } from '@svc/core'
import { lte } from 'drizzle-orm'
import { attempts } from './schema.ts'

/** Forgets the windows that have ended. */
export async function forgetAttempts(db: Db, now: Date) {
  await db.delete(attempts).where(lte(attempts.windowEndsAt, now))
}
