import type { Tx } from '@svc/core'
import type { FreshAccount, LockedAccount } from '../accounts/accounts.ts'
import type { Caller, FreshCaller, RequestOrigin } from '../caller/caller.ts'
import type { HeldBy } from '../capability/capability.ts'
import { lockFresh } from '../fresh-proof/fresh-proof.ts'
import { inTransaction } from '../in-transaction.ts'
import { lockCaller } from '../keys/keys.ts'
import { isUuid } from '../pg-schema.ts'
import type { ApprovalAct } from './acts.ts'
import type { approvalContract, Approval as Shown } from './contract.ts'
import { ApprovalNotFoundError } from './errors.ts'
import { approvalChangedEvent } from './events.ts'
import { type Approval, decidePending, pendingOf } from './store.ts'

export type ApprovalHeld = HeldBy<typeof approvalContract, { acts: ApprovalAct }>
/** The part of it that a function uses. */
export type ApprovalNeeds<Part extends keyof ApprovalHeld> = Pick<ApprovalHeld, Part>

/** How long an owner has to decide, and then the caller to make the call. */
export const decisionMillis = 10 * 60_000

export async function listApprovals(
  { db, clock, limits }: ApprovalNeeds<'db' | 'clock' | 'limits'>,
  { userId, generation }: Caller,
): Promise<{ approvals: Shown[] }> {
  await limits.take('approval list by account', userId)
  const rows = await pendingOf(db, { userId, generation, now: clock.now() })
  return { approvals: rows.map(shown) }
}

function shown(approval: Approval): Shown {
  const { approvalId, askerKind, askerName, operation, title, given } = approval
  return {
    approvalId,
    asker: { kind: askerKind, ...(askerName !== null && { name: askerName }) },
    operation,
    title,
    given,
    askedAtMillis: approval.askedAt.getTime(),
    expiresAtMillis: approval.expiresAt.getTime(),
  }
}

interface Deciding<Who extends Caller> {
  caller: Who
  approvalId: string
  origin: RequestOrigin
}

type DecideNeeds = ApprovalNeeds<'db' | 'clock' | 'limits' | 'audit'>

/** Lets the call be made, once. */
export const approveCall = (auth: DecideNeeds, deciding: Deciding<FreshCaller>) =>
  decide(auth, deciding, {
    state: 'approved',
    lock: (tx): Promise<FreshAccount> => lockFresh(tx, deciding.caller),
  })

/** The caller learns of it as it makes the call again. */
export const refuseCall = (auth: DecideNeeds, deciding: Deciding<Caller>) =>
  decide(auth, deciding, { state: 'refused', lock: (tx) => lockCaller(tx, deciding.caller) })

const acts = { approved: 'approval.approved', refused: 'approval.refused' } as const

interface Decision {
  state: 'approved' | 'refused'
  lock: (tx: Tx) => Promise<LockedAccount>
}

async function decide(
  { db, clock, limits, audit }: DecideNeeds,
  { caller, approvalId, origin }: Deciding<Caller>,
  { state, lock }: Decision,
) {
  await limits.take('approval by account', caller.userId)
  if (!isUuid(approvalId)) throw new ApprovalNotFoundError()
  await inTransaction(db, async (tx) => {
    const { userId, generation } = await lock(tx)
    const now = clock.now()
    const decided = await decidePending(tx, {
      approvalId,
      userId,
      generation,
      state,
      decidedByKeyId: caller.keyId,
      now,
      ...(state === 'approved' && { expiresAt: new Date(now.getTime() + decisionMillis) }),
    })
    if (!decided) throw new ApprovalNotFoundError()
    await audit(tx, acts[state], {
      actor: userId,
      target: approvalId,
      details: factsOf(decided),
      origin,
      at: now,
    })
    await approvalChangedEvent.emit({ userId, approvalId, state })
  })
}

/** What the trail says of a call. Its values may be secrets, so their digest stands for them. */
export function factsOf({ operation, clientId, keyId, givenHash }: Approval) {
  return {
    operation,
    givenHash,
    ...(clientId !== null && { clientId }),
    ...(keyId !== null && { keyId }),
  }
}
