import type { Db, Tx } from '@svc/core'
import { and, eq, gt, inArray, isNull, lte, ne, or } from 'drizzle-orm'
import type { LockedAccount } from '../accounts/accounts.ts'
import { type LinkPurpose, mailedLinks } from './schema.ts'

interface Ended {
  userId: string
  /** The account's old address, if it had one. */
  from: string | null
  /** The account's new address. */
  to: string
  /** All purposes of further capabilities. */
  purposes: readonly LinkPurpose[]
  now: Date
}

/**
 * Ends what was mailed to the address that an account leaves, and what would open an account for
 * its new one. Runs before the account's row is written: a request that spends or issues one of
 * these has locked it, and waits for that row.
 */
export async function endLinksOf(tx: Tx, { userId, from, to, purposes, now }: Ended) {
  const subjects = from === null ? [to] : [from, to]
  const purpose = (name: 'signup' | 'password_reset' | 'revoke_all', subject: string) =>
    and(eq(mailedLinks.purpose, name), eq(mailedLinks.subject, subject))
  const ended = or(
    purpose('revoke_all', userId),
    purpose('signup', to),
    from === null ? undefined : purpose('password_reset', from),
    purposes.length === 0
      ? undefined
      : and(inArray(mailedLinks.purpose, [...purposes]), inArray(mailedLinks.subject, subjects)),
  )
  await tx
    .update(mailedLinks)
    .set({ state: 'superseded', endedAt: now })
    .where(and(ended, inArray(mailedLinks.state, ['requested', 'issued', 'opened'])))
}

const dayMillis = 86_400_000

/** Deletes links a day after they stopped working, so that a complaint can be looked into. */
export async function forgetLinks(db: Db, now: Date) {
  // Those of sign-out-everywhere have a job of their own, and are stored longer.
  const mailed = ne(mailedLinks.purpose, 'revoke_all')
  const old = lte(mailedLinks.expiresAt, new Date(now.getTime() - dayMillis))
  await db.delete(mailedLinks).where(and(mailed, old))
}

/** Ended links are deleted by the time of their end, others by that of their expiry. */
export async function purgeRevokeAllLinks(
  db: Db,
  { expiredBy, endedBy }: { expiredBy: Date; endedBy: Date },
) {
  const old = or(
    and(isNull(mailedLinks.endedAt), lte(mailedLinks.expiresAt, expiredBy)),
    lte(mailedLinks.endedAt, endedBy),
  )
  await db.delete(mailedLinks).where(and(eq(mailedLinks.purpose, 'revoke_all'), old))
}

/**
 * For an account that is purged. They contain its address, and so do those that were requested when
 * it could get none, which name no account.
 */
export async function forgetLinksOf(
  tx: Tx,
  { userId, email }: Pick<LockedAccount, 'userId' | 'email'>,
) {
  const subjects = email === null ? [userId] : [userId, email]
  await tx
    .delete(mailedLinks)
    .where(or(eq(mailedLinks.userId, userId), inArray(mailedLinks.subject, subjects)))
}

/** Ends every link and every setup session of all accounts. Returns how many there were. */
export async function endEveryLink(db: Db, now: Date) {
  const { rowCount } = await db
    .update(mailedLinks)
    .set({ state: 'superseded', endedAt: now })
    .where(
      and(
        inArray(mailedLinks.state, ['requested', 'issued', 'opened']),
        gt(mailedLinks.expiresAt, now),
      ),
    )
  return rowCount ?? 0
}
