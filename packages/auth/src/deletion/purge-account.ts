import { lockAccount } from '../accounts/lock-account.ts'
import { anonymise, deleteAccount, isDueNow } from '../accounts/pending-deletion.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Needs } from '../auth.ts'
import { deletionCompletedEvent } from '../events.ts'
import type { WithDeletion } from './deletion-options.ts'

/** Ends an account whose time has come: all of it in one transaction, or nothing where it was restored meanwhile. */
export async function purgeAccount(
  { db, clock, deletion, parts }: Needs<'db' | 'clock' | 'parts'> & WithDeletion,
  userId: string,
) {
  const now = clock.now()
  await db.transaction(async (tx) => {
    const account = await lockAccount(tx, userId)
    if (!account || !(await isDueNow(tx, account, now))) return
    // Before the account's row is written: whoever registers its address holds a link or an invitation, and would wait
    // for that row.
    await parts.forget(tx, account)
    await (deletion.purge === 'delete' ? deleteAccount(tx, account) : anonymise(tx, account))
    await recordAudit(tx, { act: 'deletion.completed', target: userId, at: now })
    await deletionCompletedEvent.emit({ userId })
  })
}
