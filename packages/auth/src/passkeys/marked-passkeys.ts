import type { Db } from '@svc/core'
import { and, eq } from 'drizzle-orm'
import { passkeys } from './schema.ts'

/** The passkeys of an account that count as its second factor. */
export function markedPasskeysOf(db: Db, userId: string) {
  return db
    .select()
    .from(passkeys)
    .where(and(eq(passkeys.userId, userId), eq(passkeys.secondFactor, true)))
}
