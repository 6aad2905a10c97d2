import type { Db } from '@svc/core'
import { and, eq } from 'drizzle-orm'
import { deviceKeys } from './schema.ts'

/** How many keys a sign-out would revoke: those that have expired too, which may get their life back. */
export function countActive(db: Db, userId: string) {
  return db.$count(deviceKeys, and(eq(deviceKeys.userId, userId), eq(deviceKeys.state, 'active')))
}
