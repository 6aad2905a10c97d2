import type { Tx } from '@svc/core'
import { lockAccount, refuseInactive } from '../accounts/accounts.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../caller/caller.ts'
import { hashToken, type TokenHash } from '../crypto/crypto.ts'
import { inTransaction } from '../in-transaction.ts'
import { activateKey, buryPending } from '../keys/keys.ts'
import { securityPage, sendNotice } from '../notices/notices.ts'
import {
  findChallenge,
  mostTries,
  type SignInChallenge,
  spendChallenge,
  takeChallengeTry,
  welcome,
} from '../sign-in/sign-in.ts'
import type { FactorProof } from './contract.ts'
import { MfaVerificationFailedError } from './errors.ts'
import {
  type CheckedProof,
  checkProof,
  countFactorTry,
  limitFactorTry,
  proveFactor,
  type ReadProof,
  readProof,
} from './prove-factor.ts'
import type { ProveNeeds } from './recovery-codes.ts'

interface Verification {
  challenge: string
  proof: FactorProof
  origin: RequestOrigin
}

type VerifyNeeds = ProveNeeds & Needs<'db' | 'clock' | 'limits' | 'relyingParty' | 'parts'>

const door = 'sign-in'

/** Finishes a sign-in that waits for the second factor: its key signs from now on. */
export async function mfaVerify(auth: VerifyNeeds, verification: Verification) {
  const { db, clock } = auth
  const { origin } = verification
  const proof = readProof(verification.proof)
  const now = clock.now()
  const hash = hashToken(verification.challenge)
  const found = await findChallenge(db, hash, now)
  if (!found) throw new MfaVerificationFailedError()
  const { method } = proof
  await limitFactorTry(auth, { userId: found.userId, door, method })
  // Committed before anything is compared: of any number of concurrent guesses, five learn whether
  // they are right.
  const challenge = await inTransaction(db, (tx) => takeTry(tx, auth, { hash, method, now }))
  try {
    return await finish(auth, { challenge, proof, origin, now })
  } catch (error) {
    if (error instanceof MfaVerificationFailedError) {
      await noteRefusal(auth, { challenge, origin, now })
    }
    throw error
  }
}

/** If one of the two is used up, the other is not counted. */
async function takeTry(tx: Tx, auth: Needs<'env'>, { hash, method, now }: Presented) {
  const taken = await takeChallengeTry(tx, hash, now)
  if (!taken) throw new MfaVerificationFailedError()
  await countFactorTry(tx, auth, { userId: taken.userId, door, method, now })
  return taken
}

interface Presented {
  hash: TokenHash
  method: ReadProof['method']
  now: Date
}

interface Waiting {
  challenge: SignInChallenge
  origin: RequestOrigin
  now: Date
}

async function finish(auth: VerifyNeeds, { proof, ...waiting }: Waiting & { proof: ReadProof }) {
  const { userId, keyId } = waiting.challenge
  const checked = await checkProof(auth, { kind: 'mfa verify', userId, keyId, proof })
  return inTransaction(auth.db, (tx) => activate(tx, auth, { ...waiting, proof: checked }))
}

async function activate(
  tx: Tx,
  auth: VerifyNeeds,
  { challenge, proof, origin, now }: Waiting & { proof: CheckedProof },
) {
  const { userId, keyId, generation, provider, channel } = challenge
  const account = await lockAccount(tx, userId)
  // A revocation came after the first factor was checked, so that check is void.
  if (!account || account.generation !== generation) throw new MfaVerificationFailedError()
  refuseInactive(account)
  // Before the account's counter, in the same order as where a try is counted. Otherwise the two
  // would deadlock.
  if (!(await spendChallenge(tx, challenge))) throw new MfaVerificationFailedError()
  await proveFactor(tx, auth, { account, door, proof, origin, now })
  const key = await activateKey(tx, { keyId, userId, channel, origin, now })
  if (!key) throw new MfaVerificationFailedError()
  const { knownId } = key
  const signedIn = { account, key, knownId, isNew: true, provider, channel, origin, now }
  return { ...(await welcome(tx, auth, { ...signedIn, mfa: 'passed' })), keyId }
}

async function noteRefusal(auth: BurnNeeds, { challenge, origin, now }: Waiting) {
  const { userId: target, provider } = challenge
  const refusal = {
    act: 'login' as const,
    outcome: 'refused' as const,
    target,
    details: { provider },
  }
  await recordAudit(auth.db, { ...refusal, origin, at: now })
  await burnChallenge(auth, { challenge, address: origin.address, now })
}

type BurnNeeds = Needs<'db' | 'env' | 'appUrl' | 'notifier' | 'log'>

interface Refused {
  challenge: SignInChallenge
  address: string | null
  now: Date
}

/**
 * After the last of its tries, the sign-in can't be finished, and its key is deleted. Its owner is
 * told, once, because an attacker may know the first factor.
 */
async function burnChallenge(auth: BurnNeeds, { challenge, address, now }: Refused) {
  const { userId, tries } = challenge
  if (tries < mostTries) return
  const at = now.toISOString()
  const facts = { at, address: address ?? undefined, url: securityPage(auth) }
  await inTransaction(auth.db, async (tx) => {
    if (!(await endChallenge(tx, { challenge, reason: 'second_factor_failed', now }))) return
    await sendNotice(tx, auth, { userId, template: 'second-factor-failed', facts })
  })
}

interface End {
  challenge: SignInChallenge
  reason: string
  now: Date
}

/** Deletes the challenge, and with it the waiting key. Locks the account first, as everywhere. */
export async function endChallenge(tx: Tx, { challenge, reason, now }: End) {
  await lockAccount(tx, challenge.userId)
  // The sign-in was sent again meanwhile, which has replaced the challenge.
  if (!(await spendChallenge(tx, challenge))) return false
  await buryPending(tx, { keyIds: [challenge.keyId], reason, now })
  return true
}
