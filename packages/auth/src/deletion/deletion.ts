import { type Db, defineJob, EnvironmentError, type Tx } from '@svc/core'
import {
  anonymise,
  awaitPurge,
  deleteAccount,
  isDueNow,
  type LockedAccount,
  listDue,
  lockAccount,
  restorePending,
} from '../accounts/accounts.ts'
import { recordAudit } from '../audit/audit.ts'
import { heldOn, type Needs } from '../auth.ts'
import type { Author } from '../caller/caller.ts'
import type { HeldBy } from '../capability/capability.ts'
import { displayText } from '../display-text.ts'
import { deletionCancelledEvent, deletionCompletedEvent } from '../events.ts'
import { inTransaction } from '../in-transaction.ts'
import { sendNotice } from '../notices/notices.ts'
import { refuseLastSuperadmin } from '../roles/roles.ts'
import { signOutEverywhere } from '../sign-out/sign-out.ts'
import { dropTokens } from '../social/social.ts'
import { deletionRequested } from '../streams/streams.ts'
import { deletionContract } from './contract.ts'
import type { DeletionEnv } from './env.ts'

export interface DeletionOptions {
  /** For how many days an account can be restored, 3 to 365. Thirty unless set. */
  graceDays?: number
  /**
   * What happens to it then. `anonymise` keeps a row without personal data; `delete` keeps none.
   */
  purge?: 'anonymise' | 'delete'
}

// An attacker may have asked for the deletion: the owner has 72 hours to undo a change of address.
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

type DeletionHeld = HeldBy<
  typeof deletionContract,
  { own: WithDeletion; env: DeletionEnv; acts: string }
>

/** What the capability holds on a database: a job knows only its database. */
export const deletionOn = (db: Db) => heldOn(db, deletionContract) as DeletionHeld

export type BeginNeeds = Needs<'notifier' | 'log' | 'appUrl' | 'parts'> &
  WithDeletion & { env: DeletionEnv }

interface Beginning extends Author {
  account: LockedAccount
  reason?: string | undefined
  now: Date
}

const dayMillis = 86_400_000

/**
 * active → pending_deletion, until its grace period is over. Null if the account was not active.
 */
export async function beginDeletion(tx: Tx, auth: BeginNeeds, beginning: Beginning) {
  const { account, reason, now, ...author } = beginning
  const { userId } = account
  const purgeAt = new Date(now.getTime() + auth.deletion.graceDays * dayMillis)
  if (!(await awaitPurge(tx, account, purgeAt))) return null
  await refuseLastSuperadmin(tx, account)
  await signOutEverywhere(tx, auth, { account, spare: null, reason: 'deletion_requested', now })
  // The account has no more use for tokens of other services.
  await dropTokens(tx, userId)
  const purgeScheduledAt = purgeAt.toISOString()
  const why = displayText(reason, 500)
  const details = { purgeScheduledAt, ...(why && { reason: why }) }
  const entry = { ...author, ...targetOf(userId, author), details, at: now }
  await recordAudit(tx, { act: 'deletion.requested', ...entry })
  await deletionRequested.emit({ userId, purgeAtMillis: purgeAt.getTime() })
  const { href: url } = new URL(auth.env.SVC_AUTH_RESTORE_PATH, auth.appUrl)
  const facts = { url, purgeAt: purgeScheduledAt }
  await sendNotice(tx, auth, { userId, template: 'deletion-requested', facts })
  return { purgeScheduledAt }
}

/** pending_deletion → active. False if no deletion was pending, or its time has come. */
export async function restoreAccount(
  tx: Tx,
  auth: Needs<'notifier' | 'log'>,
  { account, reason, now, ...author }: Beginning,
) {
  const { userId } = account
  if (!(await restorePending(tx, account, now))) return false
  const details = reason !== undefined && { details: { reason } }
  const entry = { ...author, ...targetOf(userId, author), ...details, at: now }
  await recordAudit(tx, { act: 'deletion.cancelled', ...entry })
  await deletionCancelledEvent.emit({ userId })
  const facts = { at: now.toISOString() }
  await sendNotice(tx, auth, { userId, template: 'deletion-cancelled', facts })
  return true
}

/** If owners change their own account, the actor says enough. */
const targetOf = (userId: string, { actor }: Author) => (actor === userId ? {} : { target: userId })

const batchSize = 100
const first = '00000000-0000-0000-0000-000000000000'

/** Purges the accounts whose grace period is over. If one fails, the others are still purged. */
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
    // The queue logs it without values, and retries soon: accounts that were purged are no longer
    // due.
    if (failures.length > 0) throw failures[0]
  })

/**
 * Purges an account whose time has come, all in one transaction. Does nothing if it was restored
 * meanwhile.
 */
export async function purgeAccount(
  { db, clock, deletion, parts }: Needs<'db' | 'clock' | 'parts'> & WithDeletion,
  userId: string,
) {
  const now = clock.now()
  await inTransaction(db, async (tx) => {
    const account = await lockAccount(tx, userId)
    if (!account || !(await isDueNow(tx, account, now))) return
    // Before the account's row is written: a request that registers its address has locked a link
    // or an invitation, and would wait for that row.
    await parts.forget(tx, account)
    await (deletion.purge === 'delete' ? deleteAccount(tx, account) : anonymise(tx, account))
    await recordAudit(tx, { act: 'deletion.completed', target: userId, at: now })
    await deletionCompletedEvent.emit({ userId })
  })
}
