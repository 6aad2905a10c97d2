import { type Tx, ValidationError } from '@svc/core'
import { tooMany } from '@svc/core/limits'
import type { LockedAccount } from '../accounts/accounts.ts'
import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../caller/caller.ts'
import { deriveKey, keyedHash, UnreadableSecretError } from '../crypto/crypto.ts'
import { countInDatabase, uncountInDatabase } from '../limits/limits.ts'
import { PasskeyChallengeError, PasskeyVerificationError } from '../passkeys/errors.ts'
import {
  type CheckedPasskey,
  checkPasskey,
  markedPasskeysOf,
  notePasskey,
} from '../passkeys/passkeys.ts'
import type { AuthenticationResponse } from '../webauthn/fields.ts'
import type { FactorProof } from './contract.ts'
import { MfaUnavailableError, MfaVerificationFailedError } from './errors.ts'
import { openSecret, requireKeyring, sealSecret } from './keyring.ts'
import { type ProveNeeds, spendRecoveryCode } from './recovery-codes.ts'
import { matchingStep } from './totp.ts'
import { findConfirmedTotp, spendStep } from './totp-store.ts'

interface Presented {
  kind: 'mfa verify' | 'mfa step-up'
  userId: string
  /**
   * The key that signs, or that waits: a passkey's signature for one key is worthless for another.
   */
  keyId: string
  proof: ReadProof
}

export type CheckedProof =
  | Exclude<ReadProof, { method: 'passkey' }>
  | { method: 'passkey'; passkey: CheckedPasskey }

/** Checked before the account is locked: the challenge of a passkey is spent in any case. */
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

/**
 * Accepts a proof once, under the account's lock. Its count was taken before, and is given back.
 */
export async function proveFactor(tx: Tx, auth: ProveNeeds, proving: Proving) {
  const { account, door, proof } = proving
  const isRight = await asUnavailable(auth, () => isProved(tx, auth, proving))
  if (!isRight) throw new MfaVerificationFailedError()
  await uncountFactorTry(tx, auth, { userId: account.userId, door, method: proof.method })
}

/** A key that was removed too early is not the user's fault, and operators must learn of it. */
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

/** An unmarked passkey signs in, but is no second factor. */
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

/** The one proof that was given. */
export type ReadProof =
  | { method: 'totp'; code: string }
  | { method: 'recovery code'; code: string }
  | { method: 'passkey'; response: AuthenticationResponse }

export function readProof({ code, recoveryCode, response }: FactorProof): ReadProof {
  const proofs: ReadProof[] = []
  if (code !== undefined) proofs.push({ method: 'totp', code: withoutSpaces(code) })
  if (recoveryCode !== undefined) proofs.push({ method: 'recovery code', code: recoveryCode })
  if (response !== undefined) proofs.push({ method: 'passkey', response })
  const [proof, ...more] = proofs
  if (proof && more.length === 0) return proof
  const message = 'Send exactly one of code, recoveryCode and response.'
  throw new ValidationError({ fields: [{ path: 'body', message }] })
}

/** Authenticator apps show six digits as two groups of three. */
export function withoutSpaces(code: string) {
  return code.replaceAll(/\s/g, '')
}

/** False if the code is wrong, or if it or a later one was accepted before. */
async function spendTotp(
  tx: Tx,
  auth: Needs<'keyring'>,
  { userId, code, now }: { userId: string; code: string; now: Date },
) {
  const stored = await findConfirmedTotp(tx, userId)
  if (!stored) return false
  const keyring = requireKeyring(auth)
  const { plaintext, isStale } = openSecret(keyring, userId, stored.secret)
  const step = matchingStep(plaintext, code, now)
  if (step === null) return false
  const sealed = isStale ? sealSecret(keyring, userId, plaintext) : stored.secret
  return spendStep(tx, { userId, secret: stored.secret, step, sealed })
}

/**
 * Where a user can prove it. An attacker with the password or a device key who uses up one of these
 * limits must not use up another: the owner can still step up on their own device, and can still
 * use a recovery code.
 */
type Door = 'sign-in' | 'step-up'

interface FactorTry {
  userId: string
  door: Door
  method: ReadProof['method']
  now: Date
}

/**
 * The counter of a proof. A passkey's signature can't be guessed, so it is not counted for the
 * account.
 */
function counterOf({ door, method }: Omit<FactorTry, 'now'>) {
  if (method === 'passkey') return null
  return method === 'recovery code' ? 'recovery code' : door
}

/** Counts against the limit per minute of the proof's counter. */
export async function limitFactorTry({ limits }: Needs<'limits'>, proof: Omit<FactorTry, 'now'>) {
  const counter = counterOf(proof)
  if (counter) await limits.take(`second factor ${counter} by account`, proof.userId)
}

// An attacker who knows the password gets as many challenges as they like. Without this limit, five
// tries a challenge would be any number of guesses. It belongs to the second factor and is not a
// rate limit, so nothing turns it off.
const wrongProofs = { limit: 20, windowMillis: 3_600_000 }

/** Counts a proof for its account, before anything is compared. */
export async function countFactorTry(tx: Tx, { env }: Needs<'env'>, { now, ...proof }: FactorTry) {
  const id = idOf(env, proof)
  if (id === null) return
  const { limit, windowMillis } = wrongProofs
  const { count, endsAt } = await countInDatabase(tx, { id, windowMillis, now })
  if (count > limit) throw tooMany(endsAt, now)
}

/** Takes the count back, because the proof was right. */
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
