import type { Db, Tx } from '@svc/core'
import { and, eq, lte } from 'drizzle-orm'
import type { Identifier } from '../accounts/identifier.ts'
import { verificationCodes } from './schema.ts'

/** Forgets the codes that nobody can use any more, and with them who asked for one. */
export async function forgetCodes(db: Db, now: Date) {
  await db.delete(verificationCodes).where(lte(verificationCodes.expiresAt, now))
}

/** Ends the codes that wait for an address or number, whatever they are for. */
export async function forgetCodesOf(tx: Tx, { type, value }: Identifier) {
  await tx
    .delete(verificationCodes)
    .where(and(eq(verificationCodes.targetType, type), eq(verificationCodes.target, value)))
}

/** Deletes every code of every account. Returns how many there were. */
export async function forgetEveryCode(db: Db) {
  const { rowCount } = await db.delete(verificationCodes)
  return rowCount ?? 0
}
