import type { Db } from '@svc/core'
import { and, eq, isNotNull, or } from 'drizzle-orm'
import { users } from './schema.ts'

/**
 * The account that a reset link may be mailed for. An address that nobody has proved belongs to the account
 * only if a password already does: a provider's word for it must not hand the account to whoever reads that mail.
 */
export async function findResettable(db: Db, email: string) {
  const [account] = await db
    .select({ userId: users.userId, generation: users.generation, locale: users.locale })
    .from(users)
    .where(
      and(
        eq(users.email, email),
        eq(users.status, 'active'),
        or(isNotNull(users.emailVerifiedAt), isNotNull(users.passwordHash)),
      ),
    )
  return account ?? null
}
