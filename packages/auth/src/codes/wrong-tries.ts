import type { Tx } from '@svc/core'
import type { Needs } from '../auth.ts'
import { deriveKey, keyedHash } from '../crypto/derive-key.ts'
import { countInDatabase, uncountInDatabase } from '../limits/count-attempt.ts'
import { tooMany } from '../limits/limits.ts'
import type { CodePlace } from './store.ts'

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

/** The try was right after all. */
export async function uncountTry(tx: Tx, { env }: Needs<'env'>, place: CodePlace) {
  await uncountInDatabase(tx, idOf(env, place))
}

function idOf(env: Needs<'env'>['env'], { identifier: { type, value }, isKnown }: CodePlace) {
  const key = deriveKey(env.SVC_AUTH_VERIFICATION_TOKEN_SECRET, 'wrong codes of a day')
  return keyedHash(key, JSON.stringify([type, value, isKnown]))
}
