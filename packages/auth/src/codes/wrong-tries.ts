import type { Tx } from '@svc/core'
import type { Identifier } from '../accounts/identifier.ts'
import type { Needs } from '../auth.ts'
import { deriveKey, keyedHash } from '../crypto/derive-key.ts'
import { countInDatabase, uncountInDatabase } from '../limits/count-attempt.ts'
import { tooMany } from '../limits/limits.ts'

// New codes bring new tries: without this, five a minute would be 7,000 guesses a day at one account. It is part of
// what a code is, not a rate limit: nothing turns it off, and it is counted where the codes are.
const wrongTries = { limit: 20, windowMillis: 3_600_000 }

/** Counts a try for whoever the address or number belongs to, whatever the code was for. */
export async function countTry(
  tx: Tx,
  { env }: Needs<'env'>,
  { identifier, now }: { identifier: Identifier; now: Date },
) {
  const { limit, windowMillis } = wrongTries
  const id = idOf(env, identifier)
  const { count, endsAt } = await countInDatabase(tx, { id, windowMillis, now })
  if (count > limit) throw tooMany(endsAt, now)
}

/** The try was right after all. */
export async function uncountTry(tx: Tx, { env }: Needs<'env'>, identifier: Identifier) {
  await uncountInDatabase(tx, idOf(env, identifier))
}

function idOf(env: Needs<'env'>['env'], { type, value }: Identifier) {
  const key = deriveKey(env.SVC_AUTH_VERIFICATION_TOKEN_SECRET, 'wrong codes')
  return keyedHash(key, `${type}\n${value}`)
}
