import { ConflictError } from '@svc/core'
import { lockUser } from '../accounts/lock-user.ts'
import { moveStatus } from '../accounts/move-status.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { runningAuth } from '../auth.ts'
import { refuseLastSuperadmin } from '../roles/last-superadmin.ts'
import { signOutEverywhere } from '../sign-out/sign-out-everywhere.ts'
import { accountSuspended } from '../streams/revocations.ts'

/** Signs a user out of every device and lets them in no more, until they are reactivated. Never the last superadmin. */
export async function suspendUser(userId: string): Promise<void> {
  const auth = runningAuth()
  const { db, clock } = auth
  const now = clock.now()
  await db.transaction(async (tx) => {
    const account = await lockUser(tx, userId)
    if (!(await moveStatus(tx, account, { from: 'active', to: 'suspended' }))) {
      throw new ConflictError({ message: 'Only an active account can be suspended.' })
    }
    await refuseLastSuperadmin(tx, account)
    await signOutEverywhere(tx, auth, { account, spare: null, reason: 'suspended', now })
    await recordAudit(tx, { act: 'account.suspended', target: userId, at: now })
    await accountSuspended.emit({ userId })
  })
}
