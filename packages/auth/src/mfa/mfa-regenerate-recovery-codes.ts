import type { Needs } from '../auth.ts'
import type { Caller } from '../authenticate/caller.ts'
import type { RequestOrigin } from '../authenticate/request-origin.ts'
import { MfaNotEnrolledError } from './errors.ts'
import { issueRecoveryCodes } from './issue-recovery-codes.ts'
import { lockSteppedUp } from './lock-stepped-up.ts'
import { requireKeyring } from './require-keyring.ts'

export async function mfaRegenerateRecoveryCodes(
  auth: Needs<'db' | 'clock' | 'limits' | 'keyring'>,
  { caller, origin }: { caller: Caller; origin: RequestOrigin },
) {
  const { userId } = caller
  requireKeyring(auth)
  await auth.limits.take('second factor change by account', userId)
  const now = auth.clock.now()
  return auth.db.transaction(async (tx) => {
    const account = await lockSteppedUp(tx, caller)
    if (!account.secondFactorSince) throw new MfaNotEnrolledError()
    return { recoveryCodes: await issueRecoveryCodes(tx, auth, { userId, origin, now }) }
  })
}
