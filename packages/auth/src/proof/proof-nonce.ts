import type { Needs } from '../auth.ts'
import { cacheKeyOf, spendId } from '../once/spend-id.ts'
import { isSpent } from '../once/spend-once.ts'
import { ProofError } from './errors.ts'
import { lastsUntil } from './proof-time.ts'
import type { ReceivedProof } from './read-proof.ts'

type Used = Pick<ReceivedProof, 'clientId' | 'nonce'>

/** Refuses a nonce that is spent, before its signature costs anything. Only `spendNonce` decides. */
export async function refuseSeen({ cache, db }: Needs<'cache' | 'db'>, used: Used) {
  const isSeen = cache.shared
    ? (await cache.get(cacheKeyOf(idOf(used)))) !== null
    : await isSpent(db, idOf(used))
  if (isSeen) throw new ProofError('PROOF_REPLAYED')
}

/** A client's nonce is accepted only once, over all instances. */
export async function spendNonce(auth: Needs<'cache' | 'clock' | 'db'>, proof: ReceivedProof) {
  const issuedAt = new Date(proof.issuedAtMillis)
  const expiresAt = new Date(lastsUntil(proof))
  const isFirst = await spendId(auth, { id: idOf(proof), issuedAt, expiresAt })
  if (!isFirst) throw new ProofError('PROOF_REPLAYED')
}

const idOf = ({ clientId, nonce }: Used) => `proof:${clientId}:${nonce}`
