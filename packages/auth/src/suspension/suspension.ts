import { ConflictError, type Tx } from '@svc/core'
import { type LockedAccount, lockUser, moveStatus } from '../accounts/accounts.ts'
import { UserNotFoundError } from '../accounts/errors.ts'
import { recordAudit } from '../audit/audit.ts'
import { type Needs, runningAuth } from '../auth.ts'
import type { Author } from '../caller/caller.ts'
import { displayText } from '../display-text.ts'
import { accountReactivatedEvent } from '../events.ts'
import { inTransaction } from '../in-transaction.ts'
import { refuseLastSuperadmin } from '../roles/roles.ts'
import { signOutEverywhere } from '../sign-out/sign-out.ts'
import { accountSuspended } from '../streams/streams.ts'

interface Because {
  /** Kept in the audit trail. */
  reason?: string
}

/** Signs a user out of every device and lets them in no more, until they are reactivated. Never the last superadmin. */
export async function suspendUser(userId: string, because: Because = {}): Promise<void> {
  const auth = runningAuth()
  const by = byApplication(auth, because)
  await inTransaction(auth.db, async (tx) => suspend(tx, auth, await lockKept(tx, userId), by))
}

/** Lets a suspended user sign in again. Their devices stay signed out. */
export async function reactivateUser(userId: string, because: Because = {}): Promise<void> {
  const auth = runningAuth()
  const by = byApplication(auth, because)
  await inTransaction(auth.db, async (tx) => reactivate(tx, await lockKept(tx, userId), by))
}

const byApplication = ({ clock }: Needs<'clock'>, { reason }: Because): By => ({
  reason: displayText(reason, 500) ?? undefined,
  now: clock.now(),
})

async function lockKept(tx: Tx, userId: string) {
  const account = await lockUser(tx, userId)
  if (account.status === 'deleted') throw new UserNotFoundError()
  return account
}

interface By extends Author {
  reason?: string | undefined
  now: Date
}

/** active → suspended, in the caller's transaction. */
export async function suspend(
  tx: Tx,
  auth: Needs<'parts'>,
  account: LockedAccount,
  { now, ...by }: By,
) {
  const { userId } = account
  if (!(await moveStatus(tx, account, { from: 'active', to: 'suspended' }))) {
    throw new ConflictError({ message: 'Only an active account can be suspended.' })
  }
  await refuseLastSuperadmin(tx, account)
  await signOutEverywhere(tx, auth, { account, spare: null, reason: 'suspended', now })
  await recordAudit(tx, { act: 'account.suspended', target: userId, ...authored(by), at: now })
  await accountSuspended.emit({ userId })
}

/** suspended → active, in the caller's transaction. */
export async function reactivate(tx: Tx, account: LockedAccount, { now, ...by }: By) {
  const { userId } = account
  if (!(await moveStatus(tx, account, { from: 'suspended', to: 'active' }))) {
    throw new ConflictError({ message: 'Only a suspended account can be reactivated.' })
  }
  await recordAudit(tx, { act: 'account.reactivated', target: userId, ...authored(by), at: now })
  await accountReactivatedEvent.emit({ userId })
}

function authored({ reason, ...author }: Omit<By, 'now'>) {
  return { ...author, ...(reason !== undefined && { details: { reason } }) }
}
