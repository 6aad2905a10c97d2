import type { Db } from '@svc/core'
import { lte } from 'drizzle-orm'
import { oneTimeTokens } from './schema.ts'

export async function forgetTokens(db: Db, now: Date) {
  await db.delete(oneTimeTokens).where(lte(oneTimeTokens.expiresAt, now))
}
