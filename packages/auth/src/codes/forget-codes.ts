import type { Db } from '@svc/core'
import { lte } from 'drizzle-orm'
import { verificationCodes } from './schema.ts'

/** Forgets the codes that nobody can use any more, and with them who asked for one. */
export async function forgetCodes(db: Db, now: Date) {
  await db.delete(verificationCodes).where(lte(verificationCodes.expiresAt, now))
}
