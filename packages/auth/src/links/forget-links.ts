import type { Db, Tx } from '@svc/core'
import { and, eq, gt, inArray, isNull, lte, ne, or } from 'drizzle-orm'
import type { LockedAccount } from '../accounts/lock-account.ts'
import { mailedLinks } from './schema.ts'

const dayMillis = 86_400_000

/** Forgets links that nobody could use any more: a day after their end, so that a complaint can be looked into. */
export async function forgetLinks(db: Db, now: Date) {
  // Those of sign-out-everywhere have a job of their own, and are kept longer.
  const mailed = ne(mailedLinks.purpose, 'revoke_all')
  const old = lte(mailedLinks.expiresAt, new Date(now.getTime() - dayMillis))
  await db.delete(mailedLinks).where(and(mailed, old))
}

/** Those that ended go by when they did, the others by when they expired. */
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
 * For an account that goes. Its address is in them: also in those that were asked for when it could get none, which
 * name no account.
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
