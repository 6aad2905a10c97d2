import type { Tx } from '@svc/core'
import { type LockedAccount, lockUser } from '../accounts/accounts.ts'
import { UserNotFoundError } from '../accounts/errors.ts'
import { runningHeld } from '../auth.ts'
import type { Author, FreshCaller, RequestOrigin } from '../caller/caller.ts'
import type { HeldBy } from '../capability/capability.ts'
import { displayText } from '../display-text.ts'
import { lockFresh } from '../fresh-proof/fresh-proof.ts'
import { inTransaction } from '../in-transaction.ts'
import { lockBelow, refuseLost } from '../roles/roles.ts'
import type { peopleActs } from './acts.ts'
import { peopleContract } from './contract.ts'
import type { PeopleEnv } from './env.ts'

export type PeopleHeld = HeldBy<
  typeof peopleContract,
  { env: PeopleEnv; acts: (typeof peopleActs)[number] }
>

/** Who does it, from where, and why: as the trail has it. An application's own code has no actor. */
export interface By extends Author {
  reason?: string | undefined
  now: Date
}

/** What is done to an account that the transaction holds. */
export type Act<Result> = (tx: Tx, account: LockedAccount, by: By) => Promise<Result>

interface Request {
  caller: FreshCaller
  params: { userId: string }
  body: { reason?: string | undefined }
  origin: RequestOrigin
}

/** Each act is one transaction, on an account that ranks below the caller's. */
export async function byOperator<Result>(auth: PeopleHeld, request: Request, act: Act<Result>) {
  await countChange(auth, request)
  return counted(auth, request, act)
}

/** Before anything that a refusal tells: an operator must not find out ranks without a limit. */
export async function countChange(auth: PeopleHeld, { caller }: Pick<Request, 'caller'>) {
  await auth.limits.take('user change by account', caller.userId)
}

/** The same for a request that was counted before. */
export async function counted<Result>(
  auth: PeopleHeld,
  { caller, params, body, origin }: Request,
  act: Act<Result>,
) {
  const { userId: actor } = caller
  const reason = displayText(body.reason, 500) ?? undefined
  const by = { actor, origin, reason, now: auth.clock.now() }
  return inTransaction(auth.db, async (tx) => {
    const account = await lockBelow(tx, caller, params.userId)
    // What was revoked while this waited for the account counts: a key, or a permission.
    await lockFresh(tx, caller)
    await refuseLost(tx, caller)
    return act(tx, account, by)
  })
}

/** The same for an application's own code, which is asked for no permission and has no rank. */
export async function byApplication<Result>(
  { userId, reason }: { userId: string; reason?: string | undefined },
  act: (auth: PeopleHeld) => Act<Result>,
) {
  const auth = runningPeople()
  const by = { reason: displayText(reason, 500) ?? undefined, now: auth.clock.now() }
  return inTransaction(auth.db, async (tx) => {
    const account = await lockUser(tx, userId)
    if (account.status === 'deleted') throw new UserNotFoundError()
    return act(auth)(tx, account, by)
  })
}

/** What the capability holds on the server of this process. */
export const runningPeople = () => runningHeld(peopleContract) as PeopleHeld

/** A line of the trail about an account, with the reason where there is one. */
export function entryOf({ reason, now: at, ...author }: By, target: string, details: object = {}) {
  return { ...author, target, details: { ...details, ...(reason && { reason }) }, at }
}
