import type { Db, Tx } from '@svc/core'
import { tooMany } from '@svc/core/limits'
import { and, eq, gt, lt, lte, sql } from 'drizzle-orm'
import type { Identifier } from '../accounts/accounts.ts'
import type { Needs } from '../auth.ts'
import { deriveKey, keyedHash } from '../crypto/crypto.ts'
import { countInDatabase, uncountInDatabase } from '../limits/limits.ts'
import type { Purpose } from '../purpose.ts'
import { verificationCodes } from './schema.ts'

declare const hashed: unique symbol

/** A keyed hash: from a plain one of six digits, a reader of the row could compute the code. */
export type CodeHash = string & { readonly [hashed]: true }

/** What a code was made for, and is good for. */
export interface CodeUse {
  identifier: Identifier
  purpose: Purpose
}

/** Bound to target and purpose: the same code for something else has another hash. */
export function hashCode(
  { env }: Needs<'env'>,
  { identifier, purpose }: CodeUse,
  code: string,
): CodeHash {
  const key = deriveKey(env.SVC_AUTH_VERIFICATION_TOKEN_SECRET, 'codes')
  const { type, value } = identifier
  // The only place that makes a `CodeHash`.
  return keyedHash(key, JSON.stringify([type, value, purpose, code])) as CodeHash
}

const mostTries = 5

/** A known browser gets a code of its own: strangers can neither replace it nor use up its tries. */
export interface CodePlace extends CodeUse {
  isKnown: boolean
}

/**
 * A slot beside the strangers' code for the same. The key of the table is older than known
 * browsers.
 */
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

/**
 * Counts a try, and returns the hash to match. Null if there is no live code, or no try is left.
 */
export async function takeTry(tx: Tx, place: CodePlace, now: Date) {
  const isLive = gt(verificationCodes.expiresAt, now)
  const [taken] = await tx
    .update(verificationCodes)
    .set({ tries: sql`${verificationCodes.tries} + 1` })
    .where(and(of(place), isLive, lt(verificationCodes.tries, mostTries)))
    .returning({ codeHash: verificationCodes.codeHash })
  return taken?.codeHash ?? null
}

/** Deletes the code. False if another caller has, or a new one has replaced it. */
export async function spendCode(tx: Tx, place: CodePlace, codeHash: CodeHash) {
  const spent = await tx
    .delete(verificationCodes)
    .where(and(of(place), eq(verificationCodes.codeHash, codeHash)))
    .returning({ purpose: verificationCodes.purpose })
  return spent.length === 1
}

// New codes bring new tries: without this, five a minute would be 7,000 guesses a day at one account. An account has two
// targets at most, an address and a number, so 50 a day for each are 100 for the account: its codes are guessed with a
// chance of 1 in 10,000 a day. Strangers use up 40 of them, and leave the others to browsers that the account knows. It
// is part of what a code is, not a rate limit: nothing turns it off, and it is counted where the codes are.
const windowMillis = 86_400_000
const mostOfStrangers = 40
const mostOfKnown = 10

/** Counts a try at a waiting code of a target, for all purposes together. */
export async function countTry(
  tx: Tx,
  { env }: Needs<'env'>,
  { place, now }: { place: CodePlace; now: Date },
) {
  const { count, endsAt } = await countInDatabase(tx, { id: idOf(env, place), windowMillis, now })
  if (count > (place.isKnown ? mostOfKnown : mostOfStrangers)) throw tooMany(endsAt, now)
}

/** Takes the count back, because the try was right. */
export async function uncountTry(tx: Tx, { env }: Needs<'env'>, place: CodePlace) {
  await uncountInDatabase(tx, idOf(env, place))
}

function idOf(env: Needs<'env'>['env'], { identifier: { type, value }, isKnown }: CodePlace) {
  const key = deriveKey(env.SVC_AUTH_VERIFICATION_TOKEN_SECRET, 'wrong codes of a day')
  return keyedHash(key, JSON.stringify([type, value, isKnown]))
}

/** Deletes expired codes, and with them who requested them. */
export async function forgetCodes(db: Db, now: Date) {
  await db.delete(verificationCodes).where(lte(verificationCodes.expiresAt, now))
}

/** Ends the codes that wait for an address or number, for every purpose. */
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
