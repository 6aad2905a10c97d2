import { randomUUID } from 'node:crypto'
import type { Db, Tx } from '@svc/core'
import { desc, eq, lt } from 'drizzle-orm'
import { signIns } from './schema.ts'

interface SignIn {
  userId: string
  address: string | null
  at: Date
}

export async function noteSignIn(tx: Tx, signIn: SignIn) {
  await tx.insert(signIns).values({ signInId: randomUUID(), ...signIn })
}

/** The account's data for its export. */
export function exportSignIns(db: Db, { userId }: { userId: string }) {
  return db
    .select({ at: signIns.at, address: signIns.address })
    .from(signIns)
    .where(eq(signIns.userId, userId))
    .orderBy(desc(signIns.at))
    .limit(1000)
}

/** For an account that is deleted. */
export async function forgetSignIns(tx: Tx, { userId }: { userId: string }) {
  await tx.delete(signIns).where(eq(signIns.userId, userId))
}

const keptMillis = 365 * 86_400_000

/** Deletes rows that are older than a year. */
export async function forgetOldSignIns(db: Db, now: Date) {
  await db.delete(signIns).where(lt(signIns.at, new Date(now.getTime() - keptMillis)))
}
