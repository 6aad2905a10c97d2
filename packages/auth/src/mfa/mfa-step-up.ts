import { type Db, UnauthorizedError } from '@svc/core'
import { recordAudit } from '../audit/audit.ts'
import type { Needs } from '../auth.ts'
import { refuseKeyless } from '../authenticate/authenticate.ts'
import type { Caller, RequestOrigin } from '../caller/caller.ts'
import { inTransaction } from '../in-transaction.ts'
import { lockCaller, noteProof } from '../keys/keys.ts'
import type { FactorProof } from './contract.ts'
import { MfaNotEnrolledError, MfaVerificationFailedError } from './errors.ts'
import {
  checkProof,
  countFactorTry,
  limitFactorTry,
  proveFactor,
  type ReadProof,
  readProof,
} from './prove-factor.ts'
import type { ProveNeeds } from './recovery-codes.ts'

interface StepUp {
  caller: Caller
  proof: FactorProof
  origin: RequestOrigin
}

type StepUpNeeds = ProveNeeds & Needs<'db' | 'clock' | 'limits' | 'relyingParty'>

const door = 'step-up'

/** Proves the second factor once more, on this device only. */
export async function mfaStepUp(auth: StepUpNeeds, { caller, proof: given, origin }: StepUp) {
  const { db, clock, limits } = auth
  const { userId } = caller
  refuseKeyless(caller)
  const proof = readProof(given)
  await limits.take('second factor by address', origin.address)
  const { method } = proof
  await limitFactorTry(auth, { userId, door, method })
  if (!caller.secondFactorSince) throw new MfaNotEnrolledError()
  const now = clock.now()
  // Committed before anything is compared: of any number of concurrent guesses, twenty learn
  // whether they are right.
  await inTransaction(db, (tx) => countFactorTry(tx, auth, { userId, door, method, now }))
  try {
    await prove(auth, { caller, proof, origin, now })
  } catch (error) {
    if (error instanceof MfaVerificationFailedError) {
      await recordStepUp(db, { caller, proof, origin, now }, 'refused')
    }
    throw error
  }
}

type Proving = Omit<StepUp, 'proof'> & { proof: ReadProof; now: Date }

async function prove(auth: StepUpNeeds, proving: Proving) {
  const { caller, proof, origin, now } = proving
  const { userId, keyId } = caller
  const checked = await checkProof(auth, { kind: 'mfa step-up', userId, keyId, proof })
  await inTransaction(auth.db, async (tx) => {
    const account = await lockCaller(tx, caller)
    if (!account.secondFactorSince) throw new MfaNotEnrolledError()
    await proveFactor(tx, auth, { account, door, proof: checked, origin, now })
    if (!(await noteProof(tx, { userId, keyId, now }))) throw new UnauthorizedError()
    await recordStepUp(tx, proving, 'done')
  })
}

async function recordStepUp(
  db: Db,
  { caller, proof, origin, now }: Proving,
  outcome: 'done' | 'refused',
) {
  const { userId: actor, keyId: target } = caller
  const details = { method: proof.method }
  await recordAudit(db, { act: 'mfa.step_up', outcome, actor, target, details, origin, at: now })
}
