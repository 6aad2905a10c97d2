import type { Db, Tx } from '@svc/core'
import { and, eq, gt, lt, lte, sql } from 'drizzle-orm'
import { recordAudit } from '../audit/audit.ts'
import type { Needs } from '../auth.ts'
import type { FreshCaller, RequestOrigin } from '../caller/caller.ts'
import type { HeldBy } from '../capability/capability.ts'
import { deriveKey, equal, keyedHash, newUserCode, readUserCode } from '../crypto/crypto.ts'
import { lockFresh } from '../fresh-proof/fresh-proof.ts'
import { inTransaction } from '../in-transaction.ts'
import { isUuid } from '../pg-schema.ts'
import type { supportContract } from './contract.ts'
import { SupportCodeError } from './errors.ts'
import { supportCodes } from './schema.ts'

const lifeMillis = 10 * 60_000

// Of 31 to the power 8 codes. A new one, which only the owner can make, brings new tries.
const mostTries = 5

/** A keyed hash: who reads the row can't find the code from it. It is good for one account. */
function hashOf({ env }: Needs<'env'>, userId: string, code: string) {
  const key = deriveKey(env.SVC_AUTH_VERIFICATION_TOKEN_SECRET, 'support codes')
  return keyedHash(key, JSON.stringify([userId, code]))
}

interface Consent {
  caller: FreshCaller
  origin: RequestOrigin
}

/** Makes the code that an owner tells an operator. The one before it is good no more. */
export async function createSupportCode(
  auth: HeldBy<typeof supportContract>,
  { caller, origin }: Consent,
) {
  const { userId } = caller
  await auth.limits.take('support code by account', userId)
  const now = auth.clock.now()
  const code = newUserCode()
  const expiresAt = new Date(now.getTime() + lifeMillis)
  const fresh = { codeHash: hashOf(auth, userId, code), expiresAt, tries: 0 }
  await inTransaction(auth.db, async (tx) => {
    await lockFresh(tx, caller)
    await tx
      .insert(supportCodes)
      .values({ userId, ...fresh })
      .onConflictDoUpdate({ target: supportCodes.userId, set: fresh })
    await recordAudit(tx, { act: 'support.code.created', actor: userId, origin, at: now })
  })
  return { code, expiresAtMillis: expiresAt.getTime() }
}

interface Tried {
  userId: string
  code?: string | undefined
  now: Date
}

/** The hash of a code, after a try at it was counted. A refusal of what follows does not give the try back. */
export async function tryCode(auth: Needs<'db' | 'env'>, { userId, code = '', now }: Tried) {
  const typed = readUserCode(code)
  const id = userId.toLowerCase()
  if (!isUuid(id) || typed === null) return null
  const isLeft = and(gt(supportCodes.expiresAt, now), lt(supportCodes.tries, mostTries))
  const [taken] = await auth.db
    .update(supportCodes)
    .set({ tries: sql`${supportCodes.tries} + 1` })
    .where(and(eq(supportCodes.userId, id), isLeft))
    .returning({ codeHash: supportCodes.codeHash })
  const given = hashOf(auth, id, typed)
  return taken && equal(taken.codeHash, given) ? given : null
}

/** Takes the code away, for one session. */
export async function spendCode(
  tx: Tx,
  { userId, hash, now }: { userId: string; hash: string | null; now: Date },
) {
  const same = and(eq(supportCodes.userId, userId), eq(supportCodes.codeHash, hash ?? ''))
  const spent = await tx
    .delete(supportCodes)
    .where(and(same, gt(supportCodes.expiresAt, now)))
    .returning({ userId: supportCodes.userId })
  if (spent.length === 0) throw new SupportCodeError()
}

/** Forgets the codes that are good no more. */
export async function forgetCodes(db: Db, now: Date) {
  await db.delete(supportCodes).where(lte(supportCodes.expiresAt, now))
}

export async function forgetCodeOf(tx: Tx, userId: string) {
  await tx.delete(supportCodes).where(eq(supportCodes.userId, userId))
}
