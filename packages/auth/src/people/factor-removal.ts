import { ConflictError, defineJob, HttpError, type Log, type Tx } from '@svc/core'
import { type LockedAccount, lockAccount } from '../accounts/accounts.ts'
import { recordAudit } from '../audit/audit.ts'
import { heldOn, type Needs } from '../auth.ts'
import { readAccount } from '../authenticate/authenticate.ts'
import type { Author, FreshCaller, RequestOrigin } from '../caller/caller.ts'
import { hashToken } from '../crypto/crypto.ts'
import { lockFresh } from '../fresh-proof/fresh-proof.ts'
import { inTransaction } from '../in-transaction.ts'
import { mintLink } from '../links/links.ts'
import { removeFactors } from '../mfa/mfa.ts'
import { PasskeyNotFoundError } from '../passkeys/errors.ts'
import { listPasskeys, removePasskey } from '../passkeys/passkeys.ts'
import { lockBelow } from '../roles/roles.ts'
import { type By, entryOf, type PeopleHeld } from './act.ts'
import { peopleContract } from './contract.ts'
import { FactorRemovalLinkError } from './errors.ts'
import { factorKeptEvent } from './events.ts'
import { findOwner, refuseUnreachable } from './find-owner.ts'
import {
  findWaiting,
  findWaitingOf,
  insertRemoval,
  issueStop,
  listDue,
  noteMailed,
  stopRemoval,
  takeDue,
  voidOutdated,
  voidRemoval,
} from './store.ts'

interface Asked {
  account: LockedAccount
  /** Every second factor unless set. */
  passkeyId: string | undefined
  by: By
}

const hourMillis = 3_600_000

/** So long its owner can keep it, from that moment on. */
const dueAfter = ({ env }: Pick<PeopleHeld, 'env'>, moment: Date) =>
  new Date(moment.getTime() + env.SVC_AUTH_FACTOR_REMOVAL_HOURS * hourMillis)

/**
 * Writes down that a factor is to be removed. Support may be talking to a thief: so its owner hears of it first, and
 * has time to keep it.
 */
export async function askForRemoval(
  tx: Tx,
  auth: Pick<PeopleHeld, 'env' | 'linkMail'>,
  { account, passkeyId, by }: Asked,
) {
  const { userId, secondFactorSince: factorSince } = account
  const { now: createdAt, actor: askedBy = null } = by
  await refuseMissing(tx, account, passkeyId)
  await refuseUnreachable(tx, { userId, createdAt })
  const dueAt = dueAfter(auth, createdAt)
  const row = { userId, factorSince, askedBy, createdAt, dueAt, passkeyId: passkeyId ?? null }
  const removal = await insertRemoval(tx, row)
  if (!removal) throw new ConflictError({ message: 'A removal is already pending.' })
  const removesAt = dueAt.toISOString()
  const details = { removesAt, ...(passkeyId && { passkeyId }) }
  await recordAudit(tx, { act: 'user.factor_removal_asked', ...entryOf(by, userId, details) })
  await auth.linkMail.order(tx, { kind: 'factor_removal', id: removal.removalId })
  return { removesAt }
}

async function refuseMissing(
  tx: Tx,
  { userId, secondFactorSince }: LockedAccount,
  passkeyId: string | undefined,
) {
  if (passkeyId === undefined) {
    if (secondFactorSince) return
    throw new ConflictError({ message: 'The account has no second factor.' })
  }
  const { passkeys } = await listPasskeys(tx, userId)
  if (!passkeys.some((passkey) => passkey.passkeyId === passkeyId)) throw new PasskeyNotFoundError()
}

const template = 'factor-removal-asked'

type MailNeeds = Pick<PeopleHeld, 'db' | 'clock' | 'appUrl' | 'notifier' | 'env'>

/** Tells the owner, with the link that keeps the factor. Their time begins with the mail that has it. */
export async function mailFactorRemoval(auth: MailNeeds, removalId: string) {
  const { db, clock, env, notifier } = auth
  const removal = await findWaiting(db, removalId)
  const owner = removal && (await findOwner(db, removal))
  if (!owner || !notifier.sends(template)) return
  const { url, tokenHash: stopHash } = mintLink(auth, env.SVC_AUTH_FACTOR_REMOVAL_STOP_PATH)
  if (!(await issueStop(db, removalId, stopHash))) return
  const mailedAt = clock.now()
  const dueAt = dueAfter(auth, mailedAt)
  const { email: to, locale } = owner
  const facts = { url, removesAt: dueAt.toISOString() }
  await notifier.send({ channel: 'mail', to, locale, template, facts })
  await noteMailed(db, { stopHash, mailedAt, dueAt })
}

/** Keeps the factor by the link of the mail. */
export async function stopFactorRemoval(
  { db, clock }: Needs<'db' | 'clock'>,
  token: string,
  origin: RequestOrigin,
) {
  const now = clock.now()
  await inTransaction(db, async (tx) => {
    const stopped = await stopRemoval(tx, { stopHash: hashToken(token), now })
    if (!stopped) throw new FactorRemovalLinkError()
    await tellStopped(tx, { target: stopped.userId, origin, at: now })
  })
}

/** For its owner, who may not have read the mail. */
export async function pendingFactorRemoval(
  { db }: Needs<'db'>,
  { userId }: Pick<FreshCaller, 'userId'>,
) {
  const removal = await findWaitingOf(db, userId)
  if (!removal) return {}
  const { passkeyId, createdAt, dueAt } = removal
  const times = { askedAt: createdAt.toISOString(), removesAt: dueAt.toISOString() }
  return { removal: { ...(passkeyId !== null && { passkeyId }), ...times } }
}

interface Keeping {
  caller: FreshCaller
  origin: RequestOrigin
}

/** Keeps the factor for its owner, who is signed in. Does nothing if no removal is pending. */
export async function keepFactor(
  { db, clock, limits }: Needs<'db' | 'clock' | 'limits'>,
  { caller, origin }: Keeping,
) {
  const { userId } = caller
  await limits.take('factor removal by account', userId)
  const now = clock.now()
  await inTransaction(db, async (tx) => {
    await lockFresh(tx, caller)
    const stopped = await stopRemoval(tx, { userId, now })
    if (stopped) await tellStopped(tx, { actor: userId, target: userId, origin, at: now })
  })
}

interface Stopped extends Author {
  target: string
  at: Date
}

async function tellStopped(tx: Tx, stopped: Stopped) {
  await recordAudit(tx, { act: 'user.factor_removal_stopped', ...stopped })
  await factorKeptEvent.emit({ userId: stopped.target })
}

const batchSize = 100

export const factorRemoval = defineJob('auth.factor-removal')
  .cron('*/5 * * * *')
  .handler((_input, { db, log, signal }) =>
    removeDue(heldOn(db, peopleContract) as PeopleHeld, { log, signal }),
  )

/** Removes what its owner has not kept in time. One that cannot be removed keeps no other from it. */
export async function removeDue(
  auth: PeopleHeld,
  { log, signal }: { log: Log; signal: AbortSignal },
) {
  const now = auth.clock.now()
  await voidOutdated(auth.db, { now })
  const due = await listDue(auth.db, { now, limit: batchSize })
  const failures: unknown[] = []
  for (const removal of due) {
    if (signal.aborted) return
    await carryOut(auth, removal).catch((error: unknown) => {
      failures.push(error)
      log.error({ userId: removal.userId }, 'a second factor was not removed')
    })
  }
  // The queue logs it without values, and tries again soon: what is done is not due any more.
  if (failures.length > 0) throw failures[0]
}

interface Due {
  removalId: string
  userId: string
  askedBy: string | null
}

/** Locks the account first, as every change of a factor does. */
export async function carryOut(auth: PeopleHeld, { removalId, userId, askedBy: actor }: Due) {
  const now = auth.clock.now()
  await inTransaction(auth.db, async (tx) => {
    const account = actor ? await lockFor(tx, actor, userId) : await lockAccount(tx, userId)
    await voidOutdated(tx, { removalId, now })
    const removal = await takeDue(tx, removalId, now)
    if (!removal) return
    const { passkeyId, factorSince } = removal
    const isRemoved =
      account !== null &&
      (await findOwner(tx, removal)) !== null &&
      (await remove(tx, auth, { account, actor, passkeyId, factorSince, now }))
    if (!isRemoved) return voidRemoval(tx, removalId)
    const details = passkeyId ? { passkeyId } : {}
    const entry = { actor, target: userId, details, at: now }
    await recordAudit(tx, { act: 'user.factor_removed', ...entry })
  })
}

/** The account, if the operator might still ask for this now; with the operator's, so that it stays so. */
async function lockFor(tx: Tx, actor: string, userId: string) {
  const account = await unlessRefused(() => lockBelow(tx, { userId: actor }, userId))
  const operator = account && (await readAccount(tx, actor))
  return operator?.permissions.includes('user:write') ? account : null
}

/** Null where it was refused. */
async function unlessRefused<Result>(act: () => Promise<Result>) {
  try {
    return await act()
  } catch (error) {
    if (error instanceof HttpError && error.status < 500) return null
    throw error
  }
}

interface Removing {
  account: LockedAccount
  actor: string | null
  passkeyId: string | null
  factorSince: Date | null
  now: Date
}

/** False where it is not there any more, is another one by now, or is the last way into the account. */
async function remove(tx: Tx, auth: PeopleHeld, removing: Removing) {
  const { passkeyId, factorSince, ...removal } = removing
  if (passkeyId === null) {
    const { secondFactorSince } = removal.account
    if (!secondFactorSince || secondFactorSince.getTime() !== factorSince?.getTime()) return false
    await removeFactors(tx, auth, removal)
    return true
  }
  // In a savepoint of its own: the last way in was taken away before it is counted.
  const removed = await unlessRefused(() =>
    tx.transaction(async (inner) => {
      await removePasskey(inner, auth, { ...removal, passkeyId })
      return true
    }),
  )
  return removed ?? false
}
