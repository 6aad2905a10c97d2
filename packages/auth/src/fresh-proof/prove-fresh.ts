import { UnauthorizedError } from '@svc/core'
import { InvalidCredentialsError } from '../accounts/errors.ts'
import { hasPassword } from '../accounts/password.ts'
import type { Needs } from '../auth.ts'
import { type FreshCaller, type ProvableCaller } from '../caller/caller.ts'
import { RecentAuthenticationRequiredError } from '../caller/errors.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import { lockCaller } from '../keys/lock-caller.ts'
import { noteRecentProof } from '../keys/note-proof.ts'
import { checkCurrentPassword } from './check-current-password.ts'
import { isFresh, type ProofAsked } from './fresh-caller.ts'

interface Asked extends ProofAsked {
  caller: ProvableCaller
  /** Given in the same call. */
  currentPassword?: string | undefined
  origin: RequestOrigin
}

type FreshNeeds = Needs<'db' | 'clock' | 'env' | 'limits' | 'passwords' | 'log'>

/**
 * Returns the caller if the proof is fresh or the current password is given: an attacker with a stolen signed-in device
 * must not be able to add anything to the account that outlives the device.
 */
export async function proveFresh(auth: FreshNeeds, asked: Asked): Promise<FreshCaller> {
  const { caller, currentPassword, operation, origin } = asked
  if (isFresh(auth, caller, asked)) return caller
  const { userId } = caller
  if (currentPassword === undefined || !(await hasPassword(auth.db, userId))) {
    throw new RecentAuthenticationRequiredError()
  }
  await auth.limits.take('password change by account', userId)
  const refusal = { act: 'recent.proved', details: { method: 'password', operation } }
  await checkCurrentPassword(auth, { caller, currentPassword, refusal, origin })
  const authenticatedAt = await noteProved(auth, caller)
  return { ...caller, authenticatedAt, isPasswordProved: true } as FreshCaller
}

/** A correct password counts for later calls too: adding a passkey takes two calls. */
async function noteProved({ db, clock }: Needs<'db' | 'clock'>, caller: ProvableCaller) {
  const { userId, keyId, generation } = caller
  const now = clock.now()
  await db.transaction(async (tx) => {
    const account = await lockCaller(tx, caller)
    // The password was changed, or the key revoked, during the hashing.
    if (account.generation !== generation) throw new InvalidCredentialsError()
    // A legacy token, from before device keys, has no key to note it on.
    if (keyId !== '' && !(await noteRecentProof(tx, { userId, keyId, now }))) {
      throw new UnauthorizedError()
    }
  })
  return now
}
