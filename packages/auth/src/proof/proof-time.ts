import { ProofError } from './errors.ts'
import type { ReceivedProof } from './read-proof.ts'

type Issued = Pick<ReceivedProof, 'issuedAtMillis'>

const lifeMillis = 300_000
const aheadMillis = 5_000

/** When nobody takes the proof any more. */
export const lastsUntil = ({ issuedAtMillis }: Issued) => issuedAtMillis + lifeMillis

export function refuseOtherTime(proof: Issued, now: Date) {
  const isEarly = proof.issuedAtMillis > now.getTime() + aheadMillis
  if (isEarly || lastsUntil(proof) <= now.getTime()) throw new ProofError('PROOF_EXPIRED')
}
