import { randomUUID } from 'node:crypto'
import { readNames } from '@svc/auth/server'
import type { Db, Tx } from '@svc/core'
import { and, asc, eq, gt, lte, or, sql } from 'drizzle-orm'
import { invitations } from '../schema.ts'

const isPending = eq(invitations.state, 'pending')
// At the very time of its expiry it is expired.
const isOpen = (now: Date) => and(isPending, gt(invitations.expiresAt, now))
const named = (invitationId: string) => eq(invitations.invitationId, invitationId)

// A transition is one UPDATE guarded by state and time: of concurrent callers, only one gets the row.

type NewInvitation = Omit<typeof invitations.$inferInsert, 'invitationId' | 'state'>

/** Null if the address has one that is pending. */
export async function insertInvitation(tx: Tx, invitation: NewInvitation) {
  const { organizationId, email, createdAt } = invitation
  const sameAddress = and(
    eq(invitations.organizationId, organizationId),
    eq(invitations.email, email),
  )
  await tx
    .update(invitations)
    .set({ state: 'cancelled', tokenHash: null, endedAt: createdAt })
    .where(and(sameAddress, isPending, lte(invitations.expiresAt, createdAt)))
  const [inserted] = await tx
    .insert(invitations)
    .values({ ...invitation, invitationId: randomUUID(), state: 'pending' })
    .onConflictDoNothing()
    .returning()
  return inserted ?? null
}

export function pendingOf(db: Db, organizationId: string, now: Date) {
  return db
    .select()
    .from(invitations)
    .where(and(eq(invitations.organizationId, organizationId), isOpen(now)))
    .orderBy(asc(invitations.createdAt), asc(invitations.invitationId))
}

export async function findPending(db: Db, invitationId: string, now: Date) {
  const [found] = await db
    .select()
    .from(invitations)
    .where(and(named(invitationId), isOpen(now)))
  return found ?? null
}

/** Gives it the token that is mailed, which voids an earlier one. False if it is not pending any more. */
export async function issue(db: Db, invitationId: string, given: { tokenHash: string; now: Date }) {
  const { tokenHash, now } = given
  const issued = await db
    .update(invitations)
    .set({ tokenHash })
    .where(and(named(invitationId), isOpen(now)))
    .returning({ invitationId: invitations.invitationId })
  return issued.length === 1
}

interface Presented {
  readonly tokenHash: string
  readonly now: Date
}

const isPresented = ({ tokenHash, now }: Presented) =>
  and(eq(invitations.tokenHash, tokenHash), isOpen(now))

export async function findPresented(db: Db, presented: Presented) {
  const [found] = await db.select().from(invitations).where(isPresented(presented))
  return found ?? null
}

/** pending → accepted. False if the token is not valid any more. */
export async function accept(tx: Tx, presented: Presented, acceptedBy: string) {
  const accepted = await tx
    .update(invitations)
    .set({ state: 'accepted', tokenHash: null, endedAt: presented.now, acceptedBy })
    .where(isPresented(presented))
    .returning({ invitationId: invitations.invitationId })
  return accepted.length === 1
}

/** pending → cancelled. The roles that it would have given; null if it is not open. */
export async function cancel(
  tx: Tx,
  {
    invitationId,
    organizationId,
    now,
  }: { invitationId: string; organizationId: string; now: Date },
) {
  const cancelled = await tx
    .update(invitations)
    .set({ state: 'cancelled', tokenHash: null, endedAt: now })
    .where(and(named(invitationId), eq(invitations.organizationId, organizationId), isOpen(now)))
    .returning({ roles: invitations.roles })
  return cancelled[0]?.roles ?? null
}

/** Cancels those that would give a role that is deleted: another one of its name may be made later. */
export async function cancelForRole(
  tx: Tx,
  { organizationId, role, now }: { organizationId: string; role: string; now: Date },
) {
  await tx
    .update(invitations)
    .set({ state: 'cancelled', tokenHash: null, endedAt: now })
    .where(
      and(
        eq(invitations.organizationId, organizationId),
        isPending,
        sql`${role} = any (${invitations.roles})`,
      ),
    )
}

interface OfMember {
  readonly organizationId: string
  readonly userId: string
  readonly now: Date
}

/** Cancels that of a member who is removed, or whose roles are changed: it is older than that. */
export async function cancelForMember(tx: Tx, { organizationId, userId, now }: OfMember) {
  const email = (await readNames(tx, [userId])).get(userId)?.email
  if (!email) return
  await tx
    .update(invitations)
    .set({ state: 'cancelled', tokenHash: null, endedAt: now })
    .where(
      and(eq(invitations.organizationId, organizationId), isPending, eq(invitations.email, email)),
    )
}

/** For an account that is purged: the address was its own, and those that it sent no longer name it. */
export async function forgetInvitationsOf(
  tx: Tx,
  { userId, email }: { userId: string; email: string | null },
) {
  const accepted = eq(invitations.acceptedBy, userId)
  await tx
    .delete(invitations)
    .where(email === null ? accepted : or(accepted, eq(invitations.email, email)))
  await tx.update(invitations).set({ invitedBy: null }).where(eq(invitations.invitedBy, userId))
}

/** Deletes what has ended or expired long ago. */
export async function forgetOldInvitations(db: Db, before: Date) {
  const isOver = and(isPending, lte(invitations.expiresAt, before))
  await db.delete(invitations).where(or(lte(invitations.endedAt, before), isOver))
}
