import type { Tx } from '@svc/core'
import type { Needs } from '../auth.ts'
import { deriveKey, keyedHash } from '../crypto/derive-key.ts'
import { countInDatabase, uncountInDatabase } from '../limits/count-attempt.ts'
import { tooMany } from '../limits/limits.ts'
import type { ReadProof } from './read-proof.ts'

/**
 * Where a proof is tried. An attacker with the password or a device key who uses up one of these limits must not use up
 * another: the owner can still step up on their own device, and can still use a recovery code.
 */
export type Door = 'sign-in' | 'step-up'

export interface FactorTry {
  userId: string
  door: Door
  method: ReadProof['method']
  now: Date
}

/** What is counted together. A passkey's signature can't be guessed, so it is not counted for the account. */
function counterOf({ door, method }: Omit<FactorTry, 'now'>) {
  if (method === 'passkey') return null
  return method === 'recovery code' ? 'recovery code' : door
}

/** Takes the limit of a minute for the proof's counter. */
export async function limitFactorTry({ limits }: Needs<'limits'>, proof: Omit<FactorTry, 'now'>) {
  const counter = counterOf(proof)
  if (counter) await limits.take(`second factor ${counter} by account`, proof.userId)
}

// Whoever knows the password gets as many challenges as they like: without this, five a challenge would be any number
// of guesses. It is part of what a second factor is, not a rate limit: nothing turns it off.
const wrongProofs = { limit: 20, windowMillis: 3_600_000 }

/** Counts a proof for its account, before anything is compared. */
export async function countFactorTry(tx: Tx, { env }: Needs<'env'>, { now, ...proof }: FactorTry) {
  const id = idOf(env, proof)
  if (id === null) return
  const { limit, windowMillis } = wrongProofs
  const { count, endsAt } = await countInDatabase(tx, { id, windowMillis, now })
  if (count > limit) throw tooMany(endsAt, now)
}

/** The proof was right after all. */
export async function uncountFactorTry(
  tx: Tx,
  { env }: Needs<'env'>,
  proof: Omit<FactorTry, 'now'>,
) {
  const id = idOf(env, proof)
  if (id !== null) await uncountInDatabase(tx, id)
}

function idOf(env: Needs<'env'>['env'], proof: Omit<FactorTry, 'now'>) {
  const counter = counterOf(proof)
  if (counter === null) return null
  const key = deriveKey(env.SVC_AUTH_VERIFICATION_TOKEN_SECRET, 'wrong second factors')
  return keyedHash(key, `${counter}\n${proof.userId}`)
}
