import { defineJob } from '@svc/core'
import { listDue } from '../accounts/pending-deletion.ts'
import { deletionOn } from './deletion-on.ts'
import { purgeAccount } from './purge-account.ts'

const batchSize = 100
const first = '00000000-0000-0000-0000-000000000000'

/** Purges the accounts whose grace period is over. One that cannot be keeps no other from it. */
export const deletionPurge = defineJob('auth.deletion-purge')
  .cron('29 * * * *')
  .handler(async (_input, { db, clock, log, signal }) => {
    const auth = deletionOn(db)
    const now = clock.now()
    const failures: unknown[] = []
    for (let after = first; !signal.aborted; ) {
      const due = await listDue(db, { after, now, limit: batchSize })
      for (const userId of due) {
        if (signal.aborted) return
        await purgeAccount(auth, userId).catch((error: unknown) => {
          failures.push(error)
          log.error({ userId }, 'an account was not purged')
        })
      }
      const last = due.at(-1)
      if (last === undefined) break
      after = last
    }
    // The queue logs it without values, and tries again soon: what was purged is not due any more.
    if (failures.length > 0) throw failures[0]
  })
