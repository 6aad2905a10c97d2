import { createHash, randomUUID } from 'node:crypto'
import type { Identifier } from '../accounts/identifier.ts'
import type { Needs } from '../auth.ts'
import { equal } from '../crypto/constant-time.ts'
import { deriveKey, keyedHash } from '../crypto/derive-key.ts'
import { spendOnce } from '../once/spend-once.ts'
import { ProofOfWorkRequiredError } from './errors.ts'
import { leadingZeros } from './leading-zeros.ts'

const lifeMillis = 5 * 60_000

interface Bound {
  identifier: Identifier
  purpose: string
}

interface Shown extends Bound {
  work: string | undefined
}

/**
 * Refuses a send without a proof of work, with the challenge for it. A challenge is good for one target and purpose,
 * for some minutes, and once: its solution pays for one message.
 */
export async function requireWork(auth: Needs<'db' | 'clock' | 'env'>, { work, ...bound }: Shown) {
  const { db, clock, env } = auth
  const bits = env.SVC_AUTH_SEND_WORK_BITS
  if (bits === 0) return
  const now = clock.now()
  const found = work === undefined ? null : readWork(env, { ...bound, work })
  const isGood = found !== null && found.endsAt > now && found.bits >= bits
  if (isGood && (await spendOnce(db, `work:${found.nonce}`, found.endsAt))) return
  throw new ProofOfWorkRequiredError({
    challenge: newChallenge(env, { ...bound, bits, now }),
    bits,
  })
}

function newChallenge(env: Env, { bits, now, ...bound }: Bound & { bits: number; now: Date }) {
  const endsAt = Math.ceil((now.getTime() + lifeMillis) / 1000)
  const claims = `${endsAt}.${bits}.${randomUUID()}`
  return `${claims}.${macOf(env, bound, claims)}`
}

/** The fields of a solved challenge that we have issued; null for anything else. */
function readWork(env: Env, { work, ...bound }: Bound & { work: string }) {
  const [endsAt = '', bits = '', nonce = '', mac = ''] = work.split('.')
  if (!equal(mac, macOf(env, bound, `${endsAt}.${bits}.${nonce}`))) return null
  const hash = createHash('sha256').update(work).digest()
  if (leadingZeros(hash) < Number(bits)) return null
  return { endsAt: new Date(Number(endsAt) * 1000), bits: Number(bits), nonce }
}

type Env = Needs<'env'>['env']

function macOf(env: Env, { identifier, purpose }: Bound, claims: string) {
  const key = deriveKey(env.SVC_AUTH_VERIFICATION_TOKEN_SECRET, 'proofs of work')
  const { type, value } = identifier
  return keyedHash(key, JSON.stringify([type, value, purpose, claims]))
}
