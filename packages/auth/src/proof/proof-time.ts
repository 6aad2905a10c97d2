import { ProofError } from './errors.ts'
import type { ReceivedProof } from './read-proof.ts'

type Issued = Pick<ReceivedProof, 'issuedAtMillis'>

/** How long a proof is taken, and how far ahead of the server's time. */
export const proofWindow = { backMillis: 300_000, aheadMillis: 5_000 } as const

/** When nobody takes the proof any more. */
export const lastsUntil = ({ issuedAtMillis }: Issued) => issuedAtMillis + proofWindow.backMillis

export function refuseOtherTime(proof: Issued, now: Date) {
  const isEarly = proof.issuedAtMillis > now.getTime() + proofWindow.aheadMillis
  if (isEarly || lastsUntil(proof) <= now.getTime()) throw new ProofError('PROOF_EXPIRED')
}
