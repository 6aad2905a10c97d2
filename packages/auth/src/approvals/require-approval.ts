import {
  ConflictError,
  type Db,
  ForbiddenError,
  type HandlerContext,
  type Tx,
  UnauthorizedError,
} from '@svc/core'
import { lockAccount } from '../accounts/accounts.ts'
import { heldOf } from '../auth.ts'
import { refuseKeyless } from '../authenticate/authenticate.ts'
import {
  type Caller,
  getAuth,
  type RequestOrigin,
  refuseSupport,
  requestOrigin,
} from '../caller/caller.ts'
import { asProvable, requireFresh } from '../fresh-proof/fresh-proof.ts'
import { inTransaction } from '../in-transaction.ts'
import { findKeyName } from '../keys/keys.ts'
import { findClientName } from '../oauth2/oauth2.ts'
import { approvalContract } from './contract.ts'
import { type ApprovalHeld, type ApprovalNeeds, decisionMillis, factsOf } from './decide.ts'
import { ApprovalRefusedError, ApprovalRequiredError } from './errors.ts'
import { approvalChangedEvent } from './events.ts'
import { type ReadGiven, readGiven } from './given.ts'
import { type Approval, type Call, findAsked, openApproval, spendApproved } from './store.ts'

/** What the owner reads of a call before they approve it, beside its values. */
export interface ApprovedCall {
  /** The method and the path of its route: `POST /orders/:id/refund`. */
  operation: string
  /** What it does: `Refund an order`. */
  title: string
}

/** A terminal sends it, because its user can decide in a browser better than prove themselves in the terminal. */
const approvalHeader = 'svc-approval'

const usedKey = 'svc.approval-used'

/**
 * Lets a call in that the owner of the account has approved, once and with these values; any other is refused with
 * `ApprovalRequiredError`, and the owner is asked. A person gives a fresh proof instead.
 */
export async function requireApproval(c: HandlerContext, call: ApprovedCall): Promise<void> {
  // The route and the words of a tool may both want it.
  if (c.raw.get(usedKey)) return
  const caller = getAuth(c)
  refuseSupport(caller)
  const auth = heldOf(c.raw.server, approvalContract) as ApprovalHeld
  if (caller.kind === 'device' && c.raw.req.header(approvalHeader) !== 'ask') {
    requireFresh(auth, asProvable(caller), { operation: call.operation, window: 'recent' })
    return
  }
  const given = readGiven(await c.data())
  await useApproval(auth, { caller, call: { ...call, ...given }, origin: requestOrigin(c.raw) })
  c.raw.set(usedKey, true)
}

interface Using {
  caller: Caller
  call: ApprovedCall & ReadGiven
  origin: RequestOrigin
}

async function useApproval(auth: ApprovalHeld, { caller, call, origin }: Using) {
  const { db, clock } = auth
  const { userId, generation } = caller
  const { operation, title, given, givenHash } = call
  const now = clock.now()
  // What has neither a grant nor a key can't be told apart from others of the account.
  if (!origin.agent) refuseKeyless(caller)
  const asker = origin.agent ? `agent ${origin.agent.grantId}` : `key ${caller.keyId}`
  const same: Call = { userId, generation, asker, operation, givenHash, now }
  const spent = await inTransaction(db, async (tx) => {
    const found = await spendApproved(tx, same)
    if (found) await record(auth, { tx, act: 'approval.used', approval: found, origin, now })
    return found
  })
  if (spent) return
  const asked = (await findAsked(db, same)) ?? (await ask())
  if (!asked) throw new ConflictError({ message: 'Another request has made this call meanwhile.' })
  if (asked.state === 'refused') throw new ApprovalRefusedError()
  throw required(auth, asked)

  async function ask() {
    await auth.limits.take('approval asked by account', userId)
    const asking = await describeAsker(db, caller, origin)
    const opened = await inTransaction(db, async (tx) => {
      const account = await lockAccount(tx, userId)
      if (!account) throw new UnauthorizedError()
      if (account.isService) throw withoutOwner()
      const row = await openApproval(tx, {
        ...asking,
        asker,
        userId,
        generation,
        operation,
        title,
        given,
        givenHash,
        askedAt: now,
        expiresAt: new Date(now.getTime() + decisionMillis),
        now,
      })
      if (!row) return null
      await record(auth, { tx, act: 'approval.asked', approval: row, origin, now })
      await approvalChangedEvent.emit({ userId, approvalId: row.approvalId, state: 'pending' })
      return row
    })
    return opened ?? findAsked(db, same)
  }
}

/** The account of an organization's programs has no device, so no one could decide. */
const withoutOwner = () =>
  new ForbiddenError({
    message:
      'This needs the approval of an owner, which the programs of an organization do not have.',
  })

/** What the owner learns of who asks. */
async function describeAsker(db: Db, { keyId, kind }: Caller, { agent }: RequestOrigin) {
  if (agent) {
    const { clientId } = agent
    const askerName = await findClientName(db, clientId)
    return { askerKind: 'agent', askerName, clientId, keyId: null } as const
  }
  const askerKind = kind === 'machine' ? 'machine' : 'device'
  return { askerKind, askerName: await findKeyName(db, keyId), clientId: null, keyId } as const
}

interface Recorded {
  tx: Tx
  act: 'approval.asked' | 'approval.used'
  approval: Approval
  origin: RequestOrigin
  now: Date
}

/** The actor is the account, and the origin names the program that acts for it. */
function record({ audit }: ApprovalNeeds<'audit'>, { tx, act, approval, origin, now }: Recorded) {
  const { userId: actor, approvalId: target } = approval
  return audit(tx, act, { actor, target, details: factsOf(approval), origin, at: now })
}

function required(auth: ApprovalNeeds<'env' | 'appUrl'>, { approvalId, expiresAt }: Approval) {
  const approveUrl = new URL(auth.env.SVC_AUTH_APPROVALS_PATH, auth.appUrl)
  approveUrl.searchParams.set('id', approvalId)
  return new ApprovalRequiredError({
    approvalId,
    approveUrl: approveUrl.href,
    expiresAtMillis: expiresAt.getTime(),
  })
}
