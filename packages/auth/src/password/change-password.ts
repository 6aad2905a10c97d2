import { setPasswordHash } from '../accounts/accounts.ts'
import { InvalidCredentialsError } from '../accounts/errors.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Needs } from '../auth.ts'
import type { Caller, RequestOrigin } from '../caller/caller.ts'
import { passwordChangedEvent } from '../events.ts'
import { checkCurrentPassword } from '../fresh-proof/fresh-proof.ts'
import { inTransaction } from '../in-transaction.ts'
import { lockCaller } from '../keys/keys.ts'
import { sendNotice } from '../notices/notices.ts'
import { signOutEverywhere } from '../sign-out/sign-out.ts'

interface Change {
  caller: Caller
  /** Required if the account has a password. */
  currentPassword?: string | undefined
  newPassword: string
  origin: RequestOrigin
}

type ChangeNeeds = Needs<
  'db' | 'clock' | 'env' | 'limits' | 'passwords' | 'checkPassword' | 'notifier' | 'log' | 'parts'
>

/** Sets a new password. It signs every device out but the one that asks. */
export async function changePassword(auth: ChangeNeeds, change: Change) {
  const { db, clock, limits, passwords } = auth
  const { caller, currentPassword, newPassword, origin } = change
  const { user, userId, keyId } = caller
  await limits.take('password change by address', origin.address)
  await limits.take('password change by account', userId)
  const refusal = { act: 'password.changed' as const }
  // One place in the queue for both hashes: a second wait could end in a refusal, and the first
  // would be wasted.
  const hash = await passwords.withPlace(origin, async (placed) => {
    await checkCurrentPassword(auth, { caller, currentPassword, refusal, origin, placed })
    return placed.hash(await auth.checkPassword(newPassword, user))
  })
  const now = clock.now()
  await inTransaction(db, async (tx) => {
    const account = await lockCaller(tx, caller)
    // Another change, or a revocation, was faster than the hashing.
    if (account.generation !== caller.generation) throw new InvalidCredentialsError()
    await setPasswordHash(tx, account, hash)
    await signOutEverywhere(tx, auth, { account, spare: keyId, reason: 'password_changed', now })
    await recordAudit(tx, { act: 'password.changed', actor: userId, origin, at: now })
    await passwordChangedEvent.emit({ userId })
    const facts = { at: now.toISOString() }
    await sendNotice(tx, auth, { userId, template: 'password-changed', facts })
  })
}
