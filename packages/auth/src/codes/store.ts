import type { Db, Tx } from '@svc/core'
import { and, eq, gt, lt, sql } from 'drizzle-orm'
import type { CodeHash, CodeUse } from './code-hash.ts'
import { verificationCodes } from './schema.ts'

const mostTries = 5

const of = ({ identifier, purpose }: CodeUse) =>
  and(
    eq(verificationCodes.targetType, identifier.type),
    eq(verificationCodes.target, identifier.value),
    eq(verificationCodes.purpose, purpose),
  )

/** Puts a new code in the place of the one before. */
export async function putCode(
  db: Db,
  { use, codeHash, expiresAt }: { use: CodeUse; codeHash: CodeHash; expiresAt: Date },
) {
  const { identifier, purpose } = use
  const fresh = { codeHash, expiresAt, tries: 0 }
  await db
    .insert(verificationCodes)
    .values({ ...fresh, targetType: identifier.type, target: identifier.value, purpose })
    .onConflictDoUpdate({
      target: [verificationCodes.targetType, verificationCodes.target, verificationCodes.purpose],
      set: fresh,
    })
}

/** Counts a try, and answers what it has to match. Null when there is no live code, or no try is left of it. */
export async function takeTry(tx: Tx, use: CodeUse, now: Date) {
  const isLive = gt(verificationCodes.expiresAt, now)
  const [taken] = await tx
    .update(verificationCodes)
    .set({ tries: sql`${verificationCodes.tries} + 1` })
    .where(and(of(use), isLive, lt(verificationCodes.tries, mostTries)))
    .returning({ codeHash: verificationCodes.codeHash })
  return taken?.codeHash ?? null
}

/** Takes the code away. False when another caller has, or a new one is in its place. */
export async function spendCode(tx: Tx, use: CodeUse, codeHash: CodeHash) {
  const spent = await tx
    .delete(verificationCodes)
    .where(and(of(use), eq(verificationCodes.codeHash, codeHash)))
    .returning({ purpose: verificationCodes.purpose })
  return spent.length === 1
}
