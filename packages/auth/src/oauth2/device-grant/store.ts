import type { Db, Tx } from '@svc/core'
import { and, eq, gt, isNull, lte, or, sql } from 'drizzle-orm'
import { type Claim, isFreeFor } from '../../claimed-code.ts'
import type { TokenHash } from '../../crypto/crypto.ts'
import { oauth2DeviceRequests as requests } from './schema.ts'

export type DeviceRequest = typeof requests.$inferSelect
type NewRequest = Omit<typeof requests.$inferInsert, 'state'>

// A transition is one UPDATE guarded by the state it leaves, and by the expiry: of concurrent callers, only one gets
// the row.

const isPending = (now: Date) => and(eq(requests.state, 'pending'), gt(requests.expiresAt, now))

/** False if another request has the same user code. */
export async function openRequest(tx: Tx, request: NewRequest) {
  const opened = await tx
    .insert(requests)
    .values({ ...request, state: 'pending' })
    .onConflictDoNothing({ target: requests.userCode })
    .returning({ userCode: requests.userCode })
  return opened.length === 1
}

export async function findByDeviceCode(db: Db, codeHash: TokenHash): Promise<DeviceRequest | null> {
  return oneOf(await db.select().from(requests).where(eq(requests.codeHash, codeHash)))
}

interface Poll {
  codeHash: TokenHash
  /** The key that the client shows: the first one is the only one from then on. */
  keyThumbprint: string | null
  now: Date
}

/** Notes a poll of a pending request. False if it comes too early or with another key, or if no request is pending. */
export async function notePoll(db: Db, { codeHash, keyThumbprint: shown, now }: Poll) {
  const { lastPolledAt, keyThumbprint, intervalSeconds } = requests
  const dueAt = sql`${lastPolledAt} + make_interval(secs => ${intervalSeconds})`
  const isSameKey = shown === null ? undefined : eq(keyThumbprint, shown)
  const noted = await db
    .update(requests)
    .set({ lastPolledAt: now, ...(shown !== null && { keyThumbprint: shown }) })
    .where(
      and(
        eq(requests.codeHash, codeHash),
        isPending(now),
        or(isNull(lastPolledAt), lte(dueAt, now)),
        or(isNull(keyThumbprint), isSameKey),
      ),
    )
    .returning({ codeHash: requests.codeHash })
  return noted.length === 1
}

// RFC 8628, section 3.5.
const slowerSeconds = 5

/** Makes the interval of a pending request longer, for this and all later polls. False if none is pending. */
export async function slowDown(db: Db, { codeHash, now }: Pick<Poll, 'codeHash' | 'now'>) {
  const { intervalSeconds } = requests
  const slowed = await db
    .update(requests)
    .set({ lastPolledAt: now, intervalSeconds: sql`${intervalSeconds} + ${slowerSeconds}` })
    .where(and(eq(requests.codeHash, codeHash), isPending(now)))
    .returning({ codeHash: requests.codeHash })
  return slowed.length === 1
}

const isPendingFor = (claim: Claim) => and(isFreeFor(requests, claim), isPending(claim.now))

/** Reserves a pending request for one account. Null if there is none that it may have. */
export async function claimPending(tx: Tx, claim: Claim): Promise<DeviceRequest | null> {
  const claimed = await tx
    .update(requests)
    .set({ claimedBy: claim.userId })
    .where(isPendingFor(claim))
    .returning()
  return oneOf(claimed)
}

/** pending → approved with a grant, or denied. Null if there is none that the account could decide. */
export async function decidePending(
  tx: Tx,
  claim: Claim & { grantId: string | null },
): Promise<DeviceRequest | null> {
  const { userId: claimedBy, now: decidedAt, grantId } = claim
  const state = grantId === null ? 'denied' : 'approved'
  const decided = await tx
    .update(requests)
    .set({ state, grantId, claimedBy, decidedAt })
    .where(isPendingFor(claim))
    .returning()
  return oneOf(decided)
}

// A client that comes back late learns that the time was up, instead of that the code is unknown.
const keptMillis = 24 * 60 * 60_000

/** Deletes what expired a day ago. */
export async function forgetDeviceRequests(db: Db, now: Date) {
  await db.delete(requests).where(lte(requests.expiresAt, new Date(now.getTime() - keptMillis)))
}

/** What is stored of programs whose code the account has looked at, for an export. No code is in it. */
export function exportDeviceRequests(db: Db, userId: string) {
  const { clientId, state, scopes, resource, requestedAt, decidedAt, expiresAt } = requests
  return db
    .select({ clientId, state, scopes, resource, requestedAt, decidedAt, expiresAt })
    .from(requests)
    .where(eq(requests.claimedBy, userId))
    .orderBy(requestedAt)
}

/** For an account that is purged. */
export async function forgetDeviceRequestsOf(tx: Tx, userId: string) {
  await tx.delete(requests).where(eq(requests.claimedBy, userId))
}

const oneOf = <Row>([row]: Row[]) => row ?? null
