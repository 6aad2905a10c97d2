import { ConflictError } from '@svc/core'
import { lockUser, moveStatus } from '../accounts/accounts.ts'
import { recordAudit } from '../audit/audit.ts'
import { runningAuth } from '../auth.ts'
import { accountReactivatedEvent } from '../events.ts'
import { inTransaction } from '../in-transaction.ts'
import { refuseLastSuperadmin } from '../roles/roles.ts'
import { signOutEverywhere } from '../sign-out/sign-out.ts'
import { accountSuspended } from '../streams/streams.ts'

/** Signs a user out of every device and lets them in no more, until they are reactivated. Never the last superadmin. */
export async function suspendUser(userId: string): Promise<void> {
  const auth = runningAuth()
  const { db, clock } = auth
  const now = clock.now()
  await inTransaction(db, async (tx) => {
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

/** Lets a suspended user sign in again. Their devices stay signed out. */
export async function reactivateUser(userId: string): Promise<void> {
  const { db, clock } = runningAuth()
  await inTransaction(db, async (tx) => {
    const account = await lockUser(tx, userId)
    if (!(await moveStatus(tx, account, { from: 'suspended', to: 'active' }))) {
      throw new ConflictError({ message: 'Only a suspended account can be reactivated.' })
    }
    await recordAudit(tx, { act: 'account.reactivated', target: userId, at: clock.now() })
    await accountReactivatedEvent.emit({ userId })
  })
}
