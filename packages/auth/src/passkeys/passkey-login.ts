import { findGeneration, lockAccount } from '../accounts/accounts.ts'
import {
  AccountDisabledError,
  AccountPendingDeletionError,
  InvalidCredentialsError,
} from '../accounts/errors.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../caller/caller.ts'
import type { CheckedKey } from '../capability/capability.ts'
import type { NewDeviceKey } from '../capability/fields.ts'
import { inTransaction } from '../in-transaction.ts'
import { checkNewKey } from '../keys/keys.ts'
import { completeSignIn } from '../sign-in/sign-in.ts'
import type { AuthenticationResponse } from '../webauthn/fields.ts'
import { askForAssertion } from './challenge.ts'
import { PasskeyChallengeError, PasskeyVerificationError } from './errors.ts'
import { checkPasskey, notePasskey, worthOf } from './passkeys.ts'
import { findByCredential } from './store.ts'

type OptionsNeeds = Needs<'db' | 'clock' | 'env' | 'relyingParty'>

/**
 * The options for an authenticator, the same for every user: they reveal nothing of any account
 * (A-228).
 */
export async function passkeyLoginOptions(auth: OptionsNeeds) {
  const nobody = { kind: 'login' as const, userId: null, keyId: null }
  return askForAssertion(auth.db, auth, { ...nobody, allow: [] })
}

interface Body extends NewDeviceKey {
  response: AuthenticationResponse
}

interface Attempt {
  response: AuthenticationResponse
  key: CheckedKey
  origin: RequestOrigin
  /** The account that the passkey claims to belong to, as it was before any check. */
  owner: { userId: string; generation: number } | null
}

type LoginNeeds = Needs<'db' | 'clock' | 'env' | 'log' | 'notifier' | 'relyingParty' | 'parts'>

/**
 * Signs in with a passkey. It identifies the user, and the device’s key signs from then on (A-031,
 *
 */
export async function passkeyLoginVerify(
  auth: LoginNeeds,
  { response, ...newKey }: Body,
  origin: RequestOrigin,
) {
  const { db, clock } = auth
  const key = checkNewKey(newKey)
  const named = await findByCredential(db, response.id)
  const owner = named && (await findGeneration(db, named.userId))
  try {
    return await signIn(auth, { response, key, origin, owner })
  } catch (error) {
    if (isRefusal(error)) {
      const target = owner?.userId ?? null
      const details = { provider: 'passkey' }
      const entry = { act: 'login' as const, outcome: 'refused' as const, target, details, origin }
      await recordAudit(db, { ...entry, at: clock.now() })
    }
    throw error
  }
}

async function signIn(auth: LoginNeeds, { response, key, origin, owner }: Attempt) {
  const { db, clock } = auth
  const nobody = { kind: 'login' as const, userId: null, keyId: null }
  const checked = await checkPasskey(db, auth, { ...nobody, response })
  const now = clock.now()
  return inTransaction(db, async (tx) => {
    // Locks the account before its passkey, in the same order as a sign-out everywhere.
    const account = await lockAccount(tx, checked.userId)
    // Since then the credential was removed, or became another account's.
    if (!account || owner?.userId !== checked.userId) throw new PasskeyVerificationError()
    const noted = await notePasskey(tx, checked, now)
    const secondFactor = worthOf({ ...checked, ...noted })
    const by = { provider: 'passkey', channel: 'passkeyLoginVerify' }
    return completeSignIn(tx, auth, { ...owner, ...by, ...secondFactor, key, origin, now })
  })
}

const refusals = [
  PasskeyChallengeError,
  PasskeyVerificationError,
  InvalidCredentialsError,
  AccountDisabledError,
  AccountPendingDeletionError,
]

function isRefusal(error: unknown) {
  return refusals.some((Class) => error instanceof Class)
}
