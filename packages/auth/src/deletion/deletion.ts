import { type Db, defineJob, EnvironmentError } from '@svc/core'
import { anonymise, deleteAccount, isDueNow, listDue, lockAccount } from '../accounts/accounts.ts'
import { recordAudit } from '../audit/audit.ts'
import { heldOn, type Needs } from '../auth.ts'
import type { HeldBy } from '../capability/capability.ts'
import { deletionCompletedEvent } from '../events.ts'
import { inTransaction } from '../in-transaction.ts'
import { deletionContract } from './contract.ts'

export interface DeletionOptions {
  /** How many days an account can be restored, 3 to 365. Thirty unless set. */
  graceDays?: number
  /** What becomes of it then. `anonymise` keeps a row without anything personal; `delete` keeps none. */
  purge?: 'anonymise' | 'delete'
}

// Whoever stole an account may have asked: its owner has 72 hours to take a changed address back.
const fewestDays = 3

type Deletion = Readonly<Required<DeletionOptions>>

/** What the capability opens. */
export interface WithDeletion {
  readonly deletion: Deletion
}

/** Resolved once, as the server starts. */
export function readDeletion(options: DeletionOptions = {}): Deletion {
  const settings: Deletion = { graceDays: 30, purge: 'anonymise', ...options }
  const { graceDays, purge } = settings
  const problems: string[] = []
  if (!(Number.isSafeInteger(graceDays) && graceDays >= fewestDays && graceDays <= 365)) {
    problems.push(problem('graceDays', 'a whole number from 3 to 365'))
  }
  if (!['anonymise', 'delete'].includes(purge)) {
    problems.push(problem('purge', "'anonymise' or 'delete'"))
  }
  if (problems.length > 0) throw new EnvironmentError(problems)
  return settings
}

const problem = (name: string, right: string) =>
  `createAuthLifecycle({ deletion: { ${name} } }) must be ${right}`

type DeletionHeld = HeldBy<typeof deletionContract, { own: WithDeletion; acts: string }>

/** What the capability holds on a database: a job is told no more than that. */
export const deletionOn = (db: Db) => heldOn(db, deletionContract) as DeletionHeld

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

/** Ends an account whose time has come: all of it in one transaction, or nothing where it was restored meanwhile. */
export async function purgeAccount(
  { db, clock, deletion, parts }: Needs<'db' | 'clock' | 'parts'> & WithDeletion,
  userId: string,
) {
  const now = clock.now()
  await inTransaction(db, async (tx) => {
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
