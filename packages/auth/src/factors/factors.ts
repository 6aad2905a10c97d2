import type { Tx } from '@svc/core'
import { beginSecondFactor, endSecondFactor, type LockedAccount } from '../accounts/accounts.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Needs } from '../auth.ts'
import type { Author } from '../caller/caller.ts'
import type { SecondFactor } from '../capability/capability.ts'
import { mfaEnrolledEvent, mfaRemovedEvent } from '../events.ts'
import { buryPending, forgetProofs } from '../keys/keys.ts'
import { securityPage, sendNotice } from '../notices/notices.ts'
import { deleteChallengesOf } from '../sign-in/sign-in.ts'

export interface Settling extends Author {
  /** Locked in this transaction, before the factor was added or removed. */
  account: LockedAccount
  added?: SecondFactor
  removed?: readonly SecondFactor[]
  now: Date
}

export type SettleNeeds = Needs<'env' | 'appUrl' | 'notifier' | 'log' | 'parts'>

/**
 * Runs after every factor that is added or removed, in its transaction. Only this function sets
 * whether the account has a second factor, and only it reports that.
 */
export async function settleFactors(tx: Tx, auth: SettleNeeds, settling: Settling) {
  const { account, added, removed = [], now } = settling
  const methods = await auth.parts.secondFactors(tx, account.userId)
  if (methods.length > 0) await begin(tx, auth, { account, now })
  else await end(tx, auth, { account, now })
  if (added) await tellOfAdded(tx, auth, { ...settling, added })
  if (removed.length > 0) await tellOfRemoved(tx, auth, { ...settling, removed })
}

type Changed = Pick<Settling, 'account' | 'now'>

async function begin(tx: Tx, { parts }: SettleNeeds, { account, now }: Changed) {
  if (!(await beginSecondFactor(tx, account, now))) return
  // The devices that were approved before this were approved without a second factor.
  await parts.refuseWaiting(tx, { userId: account.userId, now })
}

/**
 * Sign-ins that wait for a removed factor must start over. A proof of it says nothing of the next
 * one.
 */
async function end(tx: Tx, { parts }: SettleNeeds, { account, now }: Changed) {
  if (!(await endSecondFactor(tx, account))) return
  const { userId } = account
  await parts.secondFactorEnded(tx, userId)
  const keyIds = await deleteChallengesOf(tx, userId)
  await buryPending(tx, { keyIds, reason: 'second_factor_removed', now })
  await forgetProofs(tx, userId)
}

async function tellOfAdded(
  tx: Tx,
  auth: SettleNeeds,
  { account, added: method, now, ...author }: Settling & { added: SecondFactor },
) {
  const { userId } = account
  const entry = { ...authorOf(author), target: userId, details: { method }, at: now }
  await recordAudit(tx, { act: 'mfa.enrolled', ...entry })
  await mfaEnrolledEvent.emit({ userId, method })
  const facts = { method, at: now.toISOString(), url: securityPage(auth) }
  await sendNotice(tx, auth, { userId, template: 'second-factor-added', facts })
}

async function tellOfRemoved(
  tx: Tx,
  auth: SettleNeeds,
  { account, removed, now, ...author }: Settling & { removed: readonly SecondFactor[] },
) {
  const { userId } = account
  const methods = [...removed]
  const entry = { ...authorOf(author), target: userId, details: { methods }, at: now }
  await recordAudit(tx, { act: 'mfa.removed', ...entry })
  await mfaRemovedEvent.emit({ userId, methods })
  const facts = { at: now.toISOString(), url: securityPage(auth) }
  await sendNotice(tx, auth, { userId, template: 'second-factor-removed', facts })
}

function authorOf({ actor, origin }: Author): Author {
  return { ...(actor !== undefined && { actor }), ...(origin && { origin }) }
}
