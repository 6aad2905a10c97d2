import type { Tx } from '@svc/core'
import { eq } from 'drizzle-orm'
import { AccountDisabledError, AccountPendingDeletionError } from './errors.ts'
import { users } from './schema.ts'

declare const locked: unique symbol

/**
 * An account that no other transaction can change until this one ends. Whatever registers or revokes a key takes it,
 * so that the generation it compares is still the generation when it commits.
 */
export type LockedAccount = Awaited<ReturnType<typeof read>>[number] & { readonly [locked]: true }

export async function lockAccount(tx: Tx, userId: string): Promise<LockedAccount | null> {
  const [account] = await read(tx, userId)
  return (account as LockedAccount | undefined) ?? null
}

// NO KEY UPDATE: rows of other tables may go on referring to the account meanwhile.
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
      role: users.role,
      generation: users.generation,
      secondFactorSince: users.secondFactorSince,
    })
    .from(users)
    .where(eq(users.userId, userId))
    .for('no key update')

/** Only an active account signs in. A deleted one is refused before anybody asks for its status. */
export function refuseInactive({ status }: Pick<LockedAccount, 'status'>) {
  if (status === 'suspended') throw new AccountDisabledError()
  if (status !== 'active') throw new AccountPendingDeletionError()
}
