import type { Db, Tx } from '@svc/core'
import { and, eq, gt } from 'drizzle-orm'
import { deviceKeys } from './schema.ts'

/** How many keys a sign-out would revoke: those that have expired too, which may get their life back. */
export function countActive(db: Db, userId: string) {
  return db.$count(deviceKeys, and(eq(deviceKeys.userId, userId), eq(deviceKeys.state, 'active')))
}

/** How many keys of programs an account has that sign. */
export function countMachines(tx: Tx, { userId, now }: { userId: string; now: Date }) {
  const own = and(eq(deviceKeys.userId, userId), eq(deviceKeys.kind, 'machine'))
  const signs = and(eq(deviceKeys.state, 'active'), gt(deviceKeys.expiresAt, now))
  return tx.$count(deviceKeys, and(own, signs))
}
