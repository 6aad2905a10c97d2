import { ConflictError } from '@svc/core'
import { lockUser } from '../accounts/lock-user.ts'
import { moveStatus } from '../accounts/move-status.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { runningAuth } from '../auth.ts'
import { accountReactivatedEvent } from '../events.ts'

/** Lets a suspended user sign in again. Their devices stay signed out. */
export async function reactivateUser(userId: string): Promise<void> {
  const { db, clock } = runningAuth()
  await db.transaction(async (tx) => {
    const account = await lockUser(tx, userId)
    if (!(await moveStatus(tx, account, { from: 'suspended', to: 'active' }))) {
      throw new ConflictError({ message: 'Only a suspended account can be reactivated.' })
    }
    await recordAudit(tx, { act: 'account.reactivated', target: userId, at: clock.now() })
    await accountReactivatedEvent.emit({ userId })
  })
}
