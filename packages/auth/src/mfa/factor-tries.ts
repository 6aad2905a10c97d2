import type { Tx } from '@svc/core'
import type { Needs } from '../auth.ts'
import { deriveKey, keyedHash } from '../crypto/derive-key.ts'
import { countInDatabase, uncountInDatabase } from '../limits/count-attempt.ts'
import { tooMany } from '../limits/limits.ts'

// Whoever knows the password gets as many challenges as they like: without this, five a challenge would be any number
// of guesses. It is part of what a second factor is, not a rate limit: nothing turns it off.
const wrongProofs = { limit: 20, windowMillis: 3_600_000 }

/** Counts a proof for its account, however and wherever it is made. */
export async function countFactorTry(
  tx: Tx,
  { env }: Needs<'env'>,
  { userId, now }: { userId: string; now: Date },
) {
  const { limit, windowMillis } = wrongProofs
  const { count, endsAt } = await countInDatabase(tx, { id: idOf(env, userId), windowMillis, now })
  if (count > limit) throw tooMany(endsAt, now)
}

/** The proof was right after all. */
export async function uncountFactorTry(tx: Tx, { env }: Needs<'env'>, userId: string) {
  await uncountInDatabase(tx, idOf(env, userId))
}

function idOf(env: Needs<'env'>['env'], userId: string) {
  const key = deriveKey(env.SVC_AUTH_VERIFICATION_TOKEN_SECRET, 'wrong second factors')
  return keyedHash(key, userId)
}
