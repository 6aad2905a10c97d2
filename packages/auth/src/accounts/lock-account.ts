import type { Db, Tx } from '@svc/core'
import { type AnyColumn, eq, sql } from 'drizzle-orm'
import { isUuid } from '../pg-schema.ts'
import { AccountDisabledError, AccountPendingDeletionError, UserNotFoundError } from './errors.ts'
import { users } from './schema.ts'

declare const locked: unique symbol

/**
 * An account that no other transaction can change until this one ends. Code that registers or
 * revokes a key locks it, so that the generation it compares is still the generation when it
 * commits.
 */
export type LockedAccount = Awaited<ReturnType<typeof read>>[number] & { readonly [locked]: true }

/**
 * An account of programs, which the transaction has locked. It belongs to a tenant and not to a person: it has no
 * address and no password, and no way to sign in leads to it.
 */
export type ServiceAccount = LockedAccount & { readonly isService: true }

/** Locks an account until the transaction ends. Null if there is no such account. */
export async function lockAccount(tx: Tx, userId: string): Promise<LockedAccount | null> {
  const [account] = await read(tx, userId)
  return (account as LockedAccount | undefined) ?? null
}

// NO KEY UPDATE: rows of other tables can still refer to the account meanwhile.
const read = (tx: Tx, userId: string) =>
  tx
    .select({
      userId: users.userId,
      publicId: users.publicId,
      email: users.email,
      emailVerifiedAt: users.emailVerifiedAt,
      phone: users.phone,
      username: users.username,
      passwordHash: users.passwordHash,
      passwordChangeRequired: users.passwordChangeRequired,
      status: users.status,
      isService: users.isService,
      generation: users.generation,
      secondFactorSince: users.secondFactorSince,
    })
    .from(users)
    .where(eq(users.userId, userId))
    .for('no key update')

/** Only an active account signs in. A deleted one is refused before its status is looked at. */
export function refuseInactive({ status }: Pick<LockedAccount, 'status'>) {
  if (status === 'suspended') throw new AccountDisabledError()
  if (status !== 'active') throw new AccountPendingDeletionError()
}

/** The account that an administrator or an application names by its id. */
export async function lockUser(tx: Tx, userId: string) {
  const account = isUuid(userId) ? await lockAccount(tx, userId) : null
  if (!account) throw new UserNotFoundError()
  return account
}

declare const proof: unique symbol

/** The account of a caller. Adding a key to it needs more than a signature: a fresh proof. */
export type CallersAccount = LockedAccount & { readonly [proof]: 'signed' | 'fresh' }

/** The account of a caller whose proof is fresh. */
export type FreshAccount = LockedAccount & { readonly [proof]: 'fresh' }

/**
 * An account that a key may be added to: its credential was checked, or its caller's proof is
 * fresh.
 */
export type EntitledAccount = LockedAccount & { readonly [proof]?: 'fresh' }

/**
 * Throws for an account that may not sign in now. It ignores an account that doesn't exist: the
 * caller finds that out.
 */
export async function refuseInactiveAccount(db: Db, userId: string) {
  const [account] = await db
    .select({ status: users.status })
    .from(users)
    .where(eq(users.userId, userId))
  if (account) refuseInactive(account)
}

/**
 * Whether the account of a row is active, and still has the generation in which the row was
 * written.
 */
export function isOfGeneration(userId: AnyColumn, generation: AnyColumn) {
  return sql`exists (select from ${users} where ${users.userId} = ${userId}
    and ${users.generation} = ${generation} and ${users.status} = 'active')`
}
