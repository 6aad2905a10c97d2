import type { Needs } from '../auth.ts'
import type { Caller } from '../caller/caller.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import { lockSteppedUp } from '../fresh-proof/lock-stepped-up.ts'
import { securityPage } from '../notices/security-page.ts'
import { sendNotice } from '../notices/send-notice.ts'
import { MfaNotEnrolledError } from './errors.ts'
import { issueRecoveryCodes } from './issue-recovery-codes.ts'
import { requireKeyring } from './require-keyring.ts'

type RegenerateNeeds = Needs<
  'db' | 'clock' | 'env' | 'limits' | 'keyring' | 'appUrl' | 'notifier' | 'log'
>

export async function mfaRegenerateRecoveryCodes(
  auth: RegenerateNeeds,
  { caller, origin }: { caller: Caller; origin: RequestOrigin },
) {
  const { userId } = caller
  requireKeyring(auth)
  await auth.limits.take('second factor change by account', userId)
  const now = auth.clock.now()
  return auth.db.transaction(async (tx) => {
    const account = await lockSteppedUp(tx, caller)
    if (!account.secondFactorSince) throw new MfaNotEnrolledError()
    const recoveryCodes = await issueRecoveryCodes(tx, auth, { userId, origin, now })
    const facts = { at: now.toISOString(), url: securityPage(auth) }
    await sendNotice(tx, auth, { userId, template: 'recovery-codes-made', facts })
    return { recoveryCodes }
  })
}
