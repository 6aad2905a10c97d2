import type { Db, Tx } from '@svc/core'
import { and, desc, eq, gt, isNotNull, lte, or, sql } from 'drizzle-orm'
import { type LockedAccount, mostExported } from '../accounts/accounts.ts'
import type { TokenHash } from '../crypto/crypto.ts'
import type { InvitationStatus } from './contract.ts'
import type { GrantedRole } from './grant.ts'
import { invitations } from './schema.ts'

export type Invitation = typeof invitations.$inferSelect

const named = (invitationId: string) => eq(invitations.invitationId, invitationId)
const isPending = eq(invitations.state, 'pending')
// At the very time of its expiry it is expired.
const isOpen = (now: Date) => and(isPending, gt(invitations.expiresAt, now))
const isExpired = (now: Date) => and(isPending, lte(invitations.expiresAt, now))

/** In every state. */
export async function find(db: Db, invitationId: string) {
  const [found] = await db.select().from(invitations).where(named(invitationId))
  return found ?? null
}

/** Null if it is not pending. */
export async function findPending(db: Db, invitationId: string, now: Date) {
  const which = and(named(invitationId), isOpen(now))
  const [found] = await db.select().from(invitations).where(which)
  return found ?? null
}

export interface Presented {
  hash: TokenHash
  now: Date
}

const isPresented = ({ hash, now }: Presented) => and(eq(invitations.tokenHash, hash), isOpen(now))

export async function findPresented(db: Db, presented: Presented) {
  const [found] = await db.select().from(invitations).where(isPresented(presented))
  return found ?? null
}

/** The invitation that is waiting for an address. */
export async function findOpen(db: Db, email: string, now: Date) {
  const [found] = await db
    .select({ invitationId: invitations.invitationId })
    .from(invitations)
    .where(and(eq(invitations.email, email), isOpen(now)))
  return found ?? null
}

interface Listing {
  status?: InvitationStatus | undefined
  page: number
  limit: number
  now: Date
}

/** A page of invitations, the newest first, and how many there are. */
export function list(db: Db, { status, page, limit, now }: Listing) {
  const which = status && hasStatus(status, now)
  return Promise.all([
    db
      .select()
      .from(invitations)
      .where(which)
      .orderBy(desc(invitations.createdAt), desc(invitations.invitationId))
      .limit(limit)
      .offset((page - 1) * limit),
    db.$count(invitations, which),
  ])
}

function hasStatus(status: InvitationStatus, now: Date) {
  if (status === 'pending') return isOpen(now)
  return status === 'expired' ? isExpired(now) : eq(invitations.state, status)
}

// A transition is one UPDATE guarded by state and time: of concurrent callers, only one gets the
// row.

export type NewInvitation = Omit<typeof invitations.$inferInsert, 'role'>

/** Null if the address has one that is pending. */
export async function insert(tx: Tx, { name: role }: GrantedRole, invitation: NewInvitation) {
  const [inserted] = await tx
    .insert(invitations)
    .values({ ...invitation, role })
    .onConflictDoNothing()
    .returning()
  return inserted ?? null
}

/** Makes room for another one of the same address. */
export async function closeExpired(tx: Tx, email: string, now: Date) {
  await tx
    .update(invitations)
    .set({ state: 'cancelled', tokenHash: null, endedAt: now })
    .where(and(eq(invitations.email, email), isExpired(now)))
}

/**
 * Gives a pending one the token that is mailed, which voids an earlier one. False if it is no
 * longer wanted.
 */
export async function issue(db: Db, invitationId: string, { tokenHash, now }: Issue) {
  const issued = await db
    .update(invitations)
    .set({ tokenHash })
    .where(and(named(invitationId), isOpen(now)))
    .returning({ invitationId: invitations.invitationId })
  return issued.length === 1
}

interface Issue {
  tokenHash: TokenHash
  now: Date
}

interface Renewal {
  /** What the repeated invitation offers. */
  role: GrantedRole
  /** The user who sends it again is its inviter from now on. */
  invitedBy: string
  locale: string
  now: Date
}

/** Restarts its time with its first length, and voids its token. Null if it is not pending. */
export async function renew(tx: Tx, invitationId: string, { role, now, ...renewal }: Renewal) {
  const length = sql`(${invitations.expiresAt} - ${invitations.createdAt})`
  const expiresAt = sql`${now.toISOString()}::timestamptz + ${length}`
  const [renewed] = await tx
    .update(invitations)
    .set({ ...renewal, tokenHash: null, createdAt: now, expiresAt })
    .where(and(named(invitationId), eq(invitations.role, role.name), isOpen(now)))
    .returning()
  return renewed ?? null
}

/** pending → cancelled. Null if it is not pending. */
export async function cancel(tx: Tx, invitationId: string, now: Date) {
  const [cancelled] = await tx
    .update(invitations)
    .set({ state: 'cancelled', tokenHash: null, endedAt: now })
    .where(and(named(invitationId), isOpen(now)))
    .returning()
  return cancelled ?? null
}

interface Acceptance extends Presented {
  /** The role that was looked at, and is given. */
  role: string
}

/** pending → accepted. False if the token is not valid any more. */
export async function accept(tx: Tx, { role, ...presented }: Acceptance) {
  const accepted = await tx
    .update(invitations)
    .set({ state: 'accepted', tokenHash: null, endedAt: presented.now })
    .where(and(eq(invitations.role, role), isPresented(presented)))
    .returning({ invitationId: invitations.invitationId })
  return accepted.length === 1
}

/** Notes the account that it opened. */
export async function noteAcceptedBy(tx: Tx, invitationId: string, userId: string) {
  await tx.update(invitations).set({ acceptedBy: userId }).where(named(invitationId))
}

/** False if there is none. */
export async function remove(tx: Tx, invitationId: string) {
  const removed = await tx
    .delete(invitations)
    .where(named(invitationId))
    .returning({ invitationId: invitations.invitationId })
  return removed.length === 1
}

// Columns are named one by one: a secret that the table gets later is not exported by itself.

/** Those that the account has sent, or has accepted. */
function exportInvitations(db: Db, userId: string, as: 'invitedBy' | 'acceptedBy') {
  return db
    .select({
      invitationId: invitations.invitationId,
      email: invitations.email,
      role: invitations.role,
      state: invitations.state,
      createdAt: invitations.createdAt,
      endedAt: invitations.endedAt,
    })
    .from(invitations)
    .where(eq(invitations[as], userId))
    .orderBy(desc(invitations.createdAt))
    .limit(mostExported)
}

export async function exportInvitationsOf(db: Db, { userId }: { userId: string }) {
  const sent = await exportInvitations(db, userId, 'invitedBy')
  const accepted = await exportInvitations(db, userId, 'acceptedBy')
  return { sent, accepted }
}

/**
 * For an account that goes: the address that was invited is its own, also where it was registered without the
 * invitation. Those that it sent are other people’s.
 */
export async function forgetInvitationsOf(
  tx: Tx,
  { userId, email }: Pick<LockedAccount, 'userId' | 'email'>,
) {
  const accepted = eq(invitations.acceptedBy, userId)
  await tx
    .delete(invitations)
    .where(email === null ? accepted : or(accepted, eq(invitations.email, email)))
}

/** Voids the token of every waiting invitation. The invitations stay and can be sent again. Returns how many. */
export async function voidEveryToken(db: Db, now: Date) {
  const { rowCount } = await db
    .update(invitations)
    .set({ tokenHash: null })
    .where(
      and(
        eq(invitations.state, 'pending'),
        gt(invitations.expiresAt, now),
        isNotNull(invitations.tokenHash),
      ),
    )
  return rowCount ?? 0
}
