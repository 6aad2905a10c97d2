import type { Tx } from '@svc/core'
import type { LockedAccount } from '../accounts/lock-account.ts'
import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import { UnreadableSecretError } from '../crypto/keyring.ts'
import { type CheckedPasskey, checkPasskey, notePasskey } from '../passkeys/check-passkey.ts'
import { PasskeyChallengeError, PasskeyVerificationError } from '../passkeys/errors.ts'
import { markedPasskeysOf } from '../passkeys/marked-passkeys.ts'
import { MfaUnavailableError, MfaVerificationFailedError } from './errors.ts'
import { type Door, uncountFactorTry } from './factor-tries.ts'
import type { ReadProof } from './read-proof.ts'
import { type ProveNeeds, spendRecoveryCode } from './spend-recovery-code.ts'
import { spendTotp } from './spend-totp.ts'

interface Presented {
  kind: 'mfa verify' | 'mfa step-up'
  userId: string
  /** The key that signs, or that waits: what a passkey signs for one is worth nothing for another. */
  keyId: string
  proof: ReadProof
}

export type CheckedProof =
  | Exclude<ReadProof, { method: 'passkey' }>
  | { method: 'passkey'; passkey: CheckedPasskey }

/** What is checked before the account is locked: the challenge of a passkey is spent whatever comes of it. */
export async function checkProof(
  auth: Needs<'db' | 'clock' | 'relyingParty'>,
  { proof, ...owner }: Presented,
): Promise<CheckedProof> {
  if (proof.method !== 'passkey') return proof
  const { response } = proof
  const passkey = await asFailure(() => checkPasskey(auth.db, auth, { ...owner, response }))
  return { method: 'passkey', passkey }
}

interface Proving {
  account: LockedAccount
  door: Door
  proof: CheckedProof
  origin: RequestOrigin
  now: Date
}

/** Takes a proof, under the account's lock: each is good once. The try was counted before, and is taken back. */
export async function proveFactor(tx: Tx, auth: ProveNeeds, proving: Proving) {
  const { account, door, proof } = proving
  const isRight = await asUnavailable(auth, () => isProved(tx, auth, proving))
  if (!isRight) throw new MfaVerificationFailedError()
  await uncountFactorTry(tx, auth, { userId: account.userId, door, method: proof.method })
}

/** A key that was removed too early is no fault of the one who signs in, and operators must hear of it. */
async function asUnavailable<Result>({ log }: Needs<'log'>, prove: () => Promise<Result>) {
  try {
    return await prove()
  } catch (error) {
    if (!(error instanceof UnreadableSecretError)) throw error
    log.error({ err: error }, 'a second factor cannot be read')
    throw new MfaUnavailableError()
  }
}

function isProved(tx: Tx, auth: ProveNeeds, { account, proof, origin, now }: Proving) {
  const { userId } = account
  if (proof.method === 'totp') return spendTotp(tx, auth, { userId, code: proof.code, now })
  if (proof.method === 'passkey') return takeMarked(tx, { userId, passkey: proof.passkey, now })
  return spendRecoveryCode(tx, auth, { userId, typed: proof.code, origin, now })
}

/** A passkey that is not marked signs in, and is no second factor. */
async function takeMarked(
  tx: Tx,
  { userId, passkey, now }: { userId: string; passkey: CheckedPasskey; now: Date },
) {
  const marked = await markedPasskeysOf(tx, userId)
  if (!marked.some(({ passkeyId }) => passkeyId === passkey.passkeyId)) return false
  await asFailure(() => notePasskey(tx, passkey, now))
  return true
}

async function asFailure<Result>(check: () => Promise<Result>) {
  try {
    return await check()
  } catch (error) {
    if (error instanceof PasskeyChallengeError || error instanceof PasskeyVerificationError) {
      throw new MfaVerificationFailedError()
    }
    throw error
  }
}
