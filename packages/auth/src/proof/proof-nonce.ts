import type { Auth } from '../auth.ts'
import { isSpent, spendOnce } from '../once/spend-once.ts'
import { ProofError } from './errors.ts'
import { lastsUntil } from './proof-time.ts'
import type { ReceivedProof } from './read-proof.ts'

type Stores = Pick<Auth, 'cache' | 'db'>
type Used = Pick<ReceivedProof, 'clientId' | 'nonce'>

// Instances have clocks of their own, and a proof is judged before its nonce is spent: with no more than its own life, a
// nonce could be forgotten in between.
const keptLongerMillis = 60_000

/** Refuses a nonce that is spent, before its signature costs anything. Only `spendNonce` decides. */
export async function refuseSeen({ cache, db }: Stores, used: Used) {
  const isSeen = cache.shared
    ? (await cache.get(cacheKey(used))) !== null
    : await isSpent(db, idOf(used))
  if (isSeen) throw new ProofError('PROOF_REPLAYED')
}

/** A client's nonce is good for one time, over all instances. Where nobody can say whether it was: 503. */
export async function spendNonce({ cache, db }: Stores, proof: ReceivedProof, now: Date) {
  const until = lastsUntil(proof) + keptLongerMillis
  const isFirst = cache.shared
    ? await cache.setIfAbsent(cacheKey(proof), '1', until - now.getTime())
    : await spendOnce(db, idOf(proof), new Date(until))
  if (!isFirst) throw new ProofError('PROOF_REPLAYED')
}

const idOf = ({ clientId, nonce }: Used) => `proof:${clientId}:${nonce}`
const cacheKey = (used: Used) => `svc:auth:${idOf(used)}`
