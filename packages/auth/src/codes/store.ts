import type { Db, Tx } from '@svc/core'
import { and, eq, gt, lt, sql } from 'drizzle-orm'
import type { CodeHash, CodeUse } from './code-hash.ts'
import { verificationCodes } from './schema.ts'

const mostTries = 5

/** A known browser gets a code of its own: strangers can neither replace it nor use up its tries. */
export interface CodePlace extends CodeUse {
  isKnown: boolean
}

/** Beside the code of strangers for the same. The key of the table is older than known browsers. */
const slotOf = ({ purpose, isKnown }: CodePlace) => (isKnown ? `${purpose} known` : purpose)

const of = (place: CodePlace) =>
  and(
    eq(verificationCodes.targetType, place.identifier.type),
    eq(verificationCodes.target, place.identifier.value),
    eq(verificationCodes.purpose, slotOf(place)),
  )

/** Puts a new code in the place of the one before. */
export async function putCode(
  db: Db,
  { place, codeHash, expiresAt }: { place: CodePlace; codeHash: CodeHash; expiresAt: Date },
) {
  const { type: targetType, value: target } = place.identifier
  const fresh = { codeHash, expiresAt, tries: 0 }
  await db
    .insert(verificationCodes)
    .values({ ...fresh, targetType, target, purpose: slotOf(place) })
    .onConflictDoUpdate({
      target: [verificationCodes.targetType, verificationCodes.target, verificationCodes.purpose],
      set: fresh,
    })
}

/** Counts a try, and answers what it has to match. Null when there is no live code, or no try is left of it. */
export async function takeTry(tx: Tx, place: CodePlace, now: Date) {
  const isLive = gt(verificationCodes.expiresAt, now)
  const [taken] = await tx
    .update(verificationCodes)
    .set({ tries: sql`${verificationCodes.tries} + 1` })
    .where(and(of(place), isLive, lt(verificationCodes.tries, mostTries)))
    .returning({ codeHash: verificationCodes.codeHash })
  return taken?.codeHash ?? null
}

/** Takes the code away. False when another caller has, or a new one is in its place. */
export async function spendCode(tx: Tx, place: CodePlace, codeHash: CodeHash) {
  const spent = await tx
    .delete(verificationCodes)
    .where(and(of(place), eq(verificationCodes.codeHash, codeHash)))
    .returning({ purpose: verificationCodes.purpose })
  return spent.length === 1
}
