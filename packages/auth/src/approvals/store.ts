import type { Db, Tx } from '@svc/core'
import { and, desc, eq, gt, lte, ne, or } from 'drizzle-orm'
import { type ApprovalState, approvals } from './schema.ts'

export type Approval = typeof approvals.$inferSelect
export type NewApproval = Omit<typeof approvals.$inferInsert, 'state' | 'approvalId'>

/** The same call, by the same caller. */
export type Call = Pick<
  NewApproval,
  'userId' | 'generation' | 'asker' | 'operation' | 'givenHash'
> & {
  now: Date
}

// A transition is one UPDATE guarded by the state it leaves, and by the expiry: of concurrent callers, only one gets
// the row.

const isCall = ({ userId, asker, operation, givenHash }: Call) =>
  and(
    eq(approvals.userId, userId),
    eq(approvals.asker, asker),
    eq(approvals.operation, operation),
    eq(approvals.givenHash, givenHash),
  )

const stands = ({ generation, now }: Pick<Call, 'generation' | 'now'>) =>
  and(eq(approvals.generation, generation), gt(approvals.expiresAt, now))

/** approved → spent. Null if the owner has not approved this call, or it was made already. */
export async function spendApproved(db: Db, call: Call) {
  const spent = await db
    .update(approvals)
    .set({ state: 'spent' })
    .where(and(isCall(call), eq(approvals.state, 'approved'), stands(call)))
    .returning()
  return spent[0] ?? null
}

/** What the owner has been asked of this call, if it stands. */
export async function findAsked(db: Db, call: Call) {
  const [asked] = await db
    .select()
    .from(approvals)
    .where(and(isCall(call), ne(approvals.state, 'spent'), stands(call)))
  return asked ?? null
}

/** Asks, in the place of what was asked of this call before and is over. Null if that still stands. */
export async function openApproval(tx: Tx, asked: NewApproval & { now: Date }) {
  const { now, ...values } = asked
  const over = or(lte(approvals.expiresAt, now), ne(approvals.generation, asked.generation))
  const opened = await tx
    .insert(approvals)
    .values({ ...values, state: 'pending' })
    .onConflictDoUpdate({
      target: [approvals.asker, approvals.operation, approvals.givenHash],
      targetWhere: ne(approvals.state, 'spent'),
      set: {
        ...values,
        approvalId: crypto.randomUUID(),
        state: 'pending',
        decidedAt: null,
        decidedByKeyId: null,
      },
      ...(over && { setWhere: over }),
    })
    .returning()
  return opened[0] ?? null
}

/** What an owner decides, and when. */
interface Decision extends Pick<Call, 'userId' | 'generation' | 'now'> {
  approvalId: string
  state: Extract<ApprovalState, 'approved' | 'refused'>
  decidedByKeyId: string | null
  /** Until when the call may be made; until when it is not asked again. */
  expiresAt?: Date
}

/** pending → approved or refused. Null if there is none that this account could decide. */
export async function decidePending(tx: Tx, { now, userId, generation, ...decision }: Decision) {
  const { approvalId, ...decided } = decision
  const rows = await tx
    .update(approvals)
    .set({ ...decided, decidedAt: now })
    .where(
      and(
        eq(approvals.approvalId, approvalId),
        eq(approvals.userId, userId),
        eq(approvals.state, 'pending'),
        stands({ generation, now }),
      ),
    )
    .returning()
  return rows[0] ?? null
}

/** Whether the owner has yet to decide. */
export async function isPending(
  db: Db,
  { approvalId, userId }: Pick<Approval, 'approvalId' | 'userId'>,
) {
  const isIt = and(
    eq(approvals.approvalId, approvalId),
    eq(approvals.userId, userId),
    eq(approvals.state, 'pending'),
  )
  return (await db.$count(approvals, isIt)) > 0
}

// An account that is asked more often is under attack, and then the newest say enough.
const mostListed = 100

/** What waits for the owner's decision, the newest first. */
export const pendingOf = (db: Db, owner: Pick<Call, 'userId' | 'generation' | 'now'>) =>
  db
    .select()
    .from(approvals)
    .where(and(eq(approvals.userId, owner.userId), eq(approvals.state, 'pending'), stands(owner)))
    .orderBy(desc(approvals.askedAt), approvals.approvalId)
    .limit(mostListed)

// The trail keeps what was decided. The values of a call are the owner's, and are not kept any longer than this.
const keptMillis = 24 * 60 * 60_000

/** Deletes what expired a day ago. */
export async function forgetOld(db: Db, now: Date) {
  await db.delete(approvals).where(lte(approvals.expiresAt, new Date(now.getTime() - keptMillis)))
}

export async function forgetOf(tx: Tx, userId: string) {
  await tx.delete(approvals).where(eq(approvals.userId, userId))
}
