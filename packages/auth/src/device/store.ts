import type { Db, Tx } from '@svc/core'
import { and, eq, gt, inArray, isNull, lte, or } from 'drizzle-orm'
import type { FreshAccount } from '../accounts/accounts.ts'
import { type Claim, isFreeFor } from '../claimed-code.ts'
import type { TokenHash } from '../crypto/crypto.ts'
import { type DeviceRequestState, deviceRequests } from './schema.ts'

export type DeviceRequest = typeof deviceRequests.$inferSelect
type NewRequest = Omit<typeof deviceRequests.$inferInsert, 'state' | 'codeHash'> & {
  codeHash: TokenHash
}

// A transition is one UPDATE guarded by the state it leaves, and by the expiry: of concurrent
// callers, only one gets the row.

const alive = (now: Date, ...states: DeviceRequestState[]) =>
  and(inArray(deviceRequests.state, states), gt(deviceRequests.expiresAt, now))

/** False if the user code was ever shown before. */
export async function openRequest(db: Db, request: NewRequest) {
  const opened = await db
    .insert(deviceRequests)
    .values({ ...request, state: 'pending' })
    .onConflictDoNothing({ target: deviceRequests.userCode })
    .returning({ userCode: deviceRequests.userCode })
  return opened.length === 1
}

export async function findByDeviceCode(db: Db, codeHash: TokenHash) {
  return oneOf(await db.select().from(deviceRequests).where(eq(deviceRequests.codeHash, codeHash)))
}

export async function findByUserCode(db: Db, userCode: string) {
  return oneOf(await db.select().from(deviceRequests).where(eq(deviceRequests.userCode, userCode)))
}

interface Poll {
  codeHash: TokenHash
  /** The previous poll must not be later than this. */
  since: Date
  now: Date
}

/**
 * Notes a poll of a pending request. False if it comes too soon after the last, or no request is
 * pending.
 */
export async function notePoll(db: Db, { codeHash, since, now }: Poll) {
  const { lastPolledAt } = deviceRequests
  const noted = await db
    .update(deviceRequests)
    .set({ lastPolledAt: now })
    .where(
      and(
        eq(deviceRequests.codeHash, codeHash),
        alive(now, 'pending'),
        or(isNull(lastPolledAt), lte(lastPolledAt, since)),
      ),
    )
    .returning({ codeHash: deviceRequests.codeHash })
  return noted.length === 1
}

const isPendingFor = (claim: Claim) =>
  and(isFreeFor(deviceRequests, claim), alive(claim.now, 'pending'))

/** Reserves a pending request for one account. Null if there is none that it may have. */
export async function claimPending(tx: Tx, claim: Claim) {
  const claimed = await tx
    .update(deviceRequests)
    .set({ claimedBy: claim.userId })
    .where(isPendingFor(claim))
    .returning()
  return oneOf(claimed)
}

/** With what is known of the approving key: nothing if no device key signed. */
interface Approval
  extends Omit<Claim, 'userId'>,
    Pick<DeviceRequest, 'approvedByKeyId' | 'authenticatedAt' | 'binding' | 'keyExpiresAt'> {}

/**
 * pending → approved, for the account's present generation. Null if there is none that it could
 * approve.
 */
export async function approvePending(
  tx: Tx,
  { userId: claimedBy, generation }: FreshAccount,
  approval: Approval,
) {
  const { userCode: _, now: decidedAt, ...approver } = approval
  const approved = await tx
    .update(deviceRequests)
    .set({ ...approver, state: 'approved', claimedBy, generation, decidedAt })
    .where(isPendingFor({ ...approval, userId: claimedBy }))
    .returning()
  return oneOf(approved)
}

/** pending → denied. Null if there is none that the account could deny. */
export async function denyPending(tx: Tx, claim: Claim) {
  const { userId: claimedBy, now: decidedAt } = claim
  const denied = await tx
    .update(deviceRequests)
    .set({ state: 'denied', claimedBy, decidedAt })
    .where(isPendingFor(claim))
    .returning()
  return oneOf(denied)
}

interface Collection {
  codeHash: string
  userId: string
  generation: number
  now: Date
}

/** approved → spent, if the account has approved it in its present generation. */
export async function spendApproved(tx: Tx, { codeHash, userId, generation, now }: Collection) {
  const spent = await tx
    .update(deviceRequests)
    .set({ state: 'spent' })
    .where(
      and(
        eq(deviceRequests.codeHash, codeHash),
        eq(deviceRequests.claimedBy, userId),
        eq(deviceRequests.generation, generation),
        alive(now, 'approved'),
      ),
    )
    .returning({ codeHash: deviceRequests.codeHash })
  return spent.length === 1
}

const oneOf = <Row>([row]: Row[]) => row ?? null
