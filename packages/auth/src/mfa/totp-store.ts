import type { Db, Tx } from '@svc/core'
import { and, eq, gt, gte, isNotNull, isNull, lt, lte } from 'drizzle-orm'
import type { FreshAccount } from '../accounts/accounts.ts'
import { totpSecrets } from './schema.ts'

// How long setting up an authenticator app may take. After that, the user starts over.
const pendingMillis = 10 * 60_000

const confirmed = (userId: string) =>
  and(eq(totpSecrets.userId, userId), isNotNull(totpSecrets.confirmedAt))

const overdue = (now: Date) => new Date(now.getTime() - pendingMillis)

const pending = (userId: string, now: Date) =>
  and(
    eq(totpSecrets.userId, userId),
    isNull(totpSecrets.confirmedAt),
    gt(totpSecrets.createdAt, overdue(now)),
  )

export async function hasConfirmedTotp(db: Db, userId: string) {
  return (await db.$count(totpSecrets, confirmed(userId))) > 0
}

/** Null if the account has no authenticator app, or has not confirmed it. */
export async function findConfirmedTotp(db: Db, userId: string) {
  const [found] = await db.select().from(totpSecrets).where(confirmed(userId))
  return found ?? null
}

/** Null if none waits to be confirmed, or it has waited for too long. */
export async function findPendingTotp(db: Db, userId: string, now: Date) {
  const [found] = await db.select().from(totpSecrets).where(pending(userId, now))
  return found ?? null
}

/** Replaces an unconfirmed secret. False if the account has a confirmed one. */
export async function putPendingTotp(
  tx: Tx,
  { userId }: FreshAccount,
  { secret, now }: { secret: string; now: Date },
) {
  const put = await tx
    .insert(totpSecrets)
    .values({ userId, secret, createdAt: now })
    .onConflictDoUpdate({
      target: totpSecrets.userId,
      set: { secret, createdAt: now, lastStep: 0 },
      setWhere: isNull(totpSecrets.confirmedAt),
    })
    .returning({ userId: totpSecrets.userId })
  return put.length === 1
}

interface Spent {
  userId: string
  /** As it was read: another enrolment may have replaced it. */
  secret: string
  step: number
  now: Date
}

/** pending → confirmed, which spends the step of the code that confirms it. */
export async function confirmPendingTotp(
  tx: Tx,
  { userId }: FreshAccount,
  { secret, step, now }: Omit<Spent, 'userId'>,
) {
  const done = await tx
    .update(totpSecrets)
    .set({ confirmedAt: now, lastStep: step })
    .where(and(pending(userId, now), eq(totpSecrets.secret, secret)))
    .returning({ userId: totpSecrets.userId })
  return done.length === 1
}

/**
 * Spends a step, and all before it. False if it was spent. `sealed` is the secret under the active
 * key.
 */
export async function spendStep(
  tx: Tx,
  { userId, secret, step, sealed }: Omit<Spent, 'now'> & { sealed: string },
) {
  const spent = await tx
    .update(totpSecrets)
    .set({ lastStep: step, secret: sealed })
    .where(and(confirmed(userId), eq(totpSecrets.secret, secret), lt(totpSecrets.lastStep, step)))
    .returning({ userId: totpSecrets.userId })
  return spent.length === 1
}

/** False if none was confirmed at that moment or later. */
export async function deleteTotpSince(tx: Tx, userId: string, since: Date) {
  const gone = await tx
    .delete(totpSecrets)
    .where(and(eq(totpSecrets.userId, userId), gte(totpSecrets.confirmedAt, since)))
    .returning({ userId: totpSecrets.userId })
  return gone.length === 1
}

/** False if there was no confirmed one. It deletes an unconfirmed one too. */
export async function deleteTotp(tx: Tx, userId: string) {
  const gone = await tx.delete(totpSecrets).where(eq(totpSecrets.userId, userId)).returning()
  return gone.some(({ confirmedAt }) => confirmedAt !== null)
}

/** Deletes the secrets that can't be confirmed any more. */
export async function forgetPendingTotp(db: Db, now: Date) {
  await db
    .delete(totpSecrets)
    .where(and(isNull(totpSecrets.confirmedAt), lte(totpSecrets.createdAt, overdue(now))))
}
