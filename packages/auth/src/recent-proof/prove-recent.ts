import { type Db, type Tx, UnauthorizedError, ValidationError } from '@svc/core'
import { findCredentials } from '../accounts/accounts.ts'
import { InvalidCredentialsError } from '../accounts/errors.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Needs } from '../auth.ts'
import { refuseKeyless } from '../authenticate/authenticate.ts'
import type { Caller, RequestOrigin } from '../caller/caller.ts'
import { verifyCode } from '../codes/codes.ts'
import { InvalidVerificationCodeError } from '../codes/errors.ts'
import { provePassword } from '../fresh-proof/fresh-proof.ts'
import { inTransaction } from '../in-transaction.ts'
import { lockCaller, noteRecentProof } from '../keys/keys.ts'
import {
  PasskeyChallengeError,
  PasskeyNotFoundError,
  PasskeyVerificationError,
} from '../passkeys/errors.ts'
import { askForOwnPasskey, checkPasskey, notePasskey } from '../passkeys/passkeys.ts'
import type { AuthenticationResponse } from '../webauthn/fields.ts'
import type { RecentProof } from './contract.ts'

interface Proving {
  caller: Caller
  origin: RequestOrigin
}

type ProveNeeds = Needs<'db' | 'clock' | 'env' | 'limits' | 'passwords' | 'relyingParty' | 'log'>

/** The part of a proof that runs under the lock of the account. */
type Rest = (tx: Tx, now: Date) => Promise<unknown>

/**
 * Renews the fresh proof of this device only. If the account has a second factor, it must be proved
 * before: like a sign-in, this proof then counts for both.
 */
export async function proveRecent(
  auth: ProveNeeds,
  { caller, proof, origin }: Proving & { proof: RecentProof },
) {
  const { db, clock, limits } = auth
  const { userId, keyId, generation } = caller
  refuseKeyless(caller)
  const given = readProof(proof)
  await limits.take('recent proof by address', origin.address)
  await limits.take('recent proof by account', userId)
  const rest = await audited(auth, { caller, origin, method: given.method }, () => {
    if (given.method === 'password') return byPassword(auth, { caller, origin }, given.password)
    if (given.method === 'passkey') return byPasskey(auth, caller, given.response)
    return byCode(auth, { caller, origin }, given.code)
  })
  const now = clock.now()
  await inTransaction(db, async (tx) => {
    const account = await lockCaller(tx, caller)
    // The proof may be void by now: a password was changed, or devices were signed out.
    if (account.generation !== generation) throw new InvalidCredentialsError()
    await rest(tx, now)
    if (!(await noteRecentProof(tx, { userId, keyId, now }))) throw new UnauthorizedError()
    await record(tx, { caller, origin, method: given.method, now }, 'done')
  })
}

type Given =
  | { method: 'password'; password: string }
  | { method: 'passkey'; response: AuthenticationResponse }
  | { method: 'code'; code: string }

function readProof({ password, passkey, code }: RecentProof) {
  const proofs: Given[] = []
  if (password !== undefined) proofs.push({ method: 'password', password })
  if (passkey !== undefined) proofs.push({ method: 'passkey', response: passkey })
  if (code !== undefined) proofs.push({ method: 'code', code })
  const [proof, ...more] = proofs
  if (proof && more.length === 0) return proof
  const message = 'Send exactly one of password, passkey and code.'
  throw new ValidationError({ fields: [{ path: 'body', message }] })
}

const nothing: Rest = async () => {}

/** Guesses share a counter with those of `changePassword`, because it is the same password. */
async function byPassword(auth: ProveNeeds, { caller, origin }: Proving, password: string) {
  const { userId } = caller
  await auth.limits.take('password change by address', origin.address)
  await auth.limits.take('password change by account', userId)
  const passwordHash = (await findCredentials(auth.db, userId))?.passwordHash ?? null
  const isRight = await provePassword(auth, {
    account: { userId, passwordHash },
    password,
    hasher: { verify: (given, hash) => auth.passwords.verify(given, hash, origin) },
  })
  if (!isRight) throw new InvalidCredentialsError()
  return nothing
}

async function byPasskey(
  auth: ProveNeeds,
  { userId, keyId }: Caller,
  response: AuthenticationResponse,
): Promise<Rest> {
  const checked = await checkPasskey(auth.db, auth, { kind: 'recent', userId, keyId, response })
  return (tx, now) => notePasskey(tx, checked, now)
}

/**
 * A code that could also sign in, sent to the account's own proven address. Its purpose is `login`,
 * because it is worth as much: an attacker who can read these codes can sign in without this
 * device.
 */
async function byCode(auth: ProveNeeds, { caller, origin }: Proving, code: string) {
  const address = provenAddress(caller)
  if (!address) throw new InvalidVerificationCodeError()
  await verifyCode(auth, { ...address, purpose: 'login', code }, origin)
  return nothing
}

/** The email address before the number, because a number can be hijacked at its carrier. */
function provenAddress({ user: { email, emailVerifiedAt, phone, phoneVerifiedAt } }: Caller) {
  if (email !== null && emailVerifiedAt) return { target: email, targetType: 'email' as const }
  if (phone !== null && phoneVerifiedAt) return { target: phone, targetType: 'phone' as const }
  return null
}

interface Recorded extends Proving {
  method: Given['method']
}

const refusals = [
  InvalidCredentialsError,
  InvalidVerificationCodeError,
  PasskeyChallengeError,
  PasskeyVerificationError,
]

async function audited<Result>(
  { db, clock }: Needs<'db' | 'clock'>,
  recorded: Recorded,
  prove: () => Promise<Result>,
) {
  try {
    return await prove()
  } catch (error) {
    if (refusals.some((Class) => error instanceof Class)) {
      await record(db, { ...recorded, now: clock.now() }, 'refused')
    }
    throw error
  }
}

async function record(
  db: Db,
  { caller, method, origin, now: at }: Recorded & { now: Date },
  outcome: 'done' | 'refused',
) {
  const { userId: actor, keyId: target } = caller
  const entry = { act: 'recent.proved' as const, outcome, actor, target, details: { method } }
  await recordAudit(db, { ...entry, origin, at })
}

type AskNeeds = Needs<'db' | 'clock' | 'env' | 'limits' | 'relyingParty'>

/** The options for an authenticator. Only the key that asked can use the response. */
export async function proveRecentOptions(auth: AskNeeds, caller: Caller) {
  const { userId, keyId } = caller
  refuseKeyless(caller)
  await auth.limits.take('recent proof options by account', userId)
  const options = await askForOwnPasskey(auth.db, auth, { kind: 'recent', userId, keyId })
  if (!options) throw new PasskeyNotFoundError()
  return options
}
