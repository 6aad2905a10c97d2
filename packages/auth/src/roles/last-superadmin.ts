import type { Tx } from '@svc/core'
import type { LockedAccount } from '../accounts/lock-account.ts'
import { hasOtherActiveHolder } from '../accounts/role-holders.ts'
import { superadmin } from './builtin-roles.ts'
import { LastSuperadminError } from './errors.ts'
import { lockByName } from './store.ts'

/**
 * Until this transaction ends, no other one takes the role from anybody. Always after the accounts: two that took both
 * in different orders would wait for each other.
 */
export async function lockSuperadmins(tx: Tx) {
  await lockByName(tx, superadmin, 'no key update')
}

/** For whoever takes an account out of the ranks of those who may administer: by its role, or its status. */
export async function refuseLastSuperadmin(tx: Tx, { userId, role }: LockedAccount) {
  if (role !== superadmin) return
  await lockSuperadmins(tx)
  if (!(await hasOtherActiveHolder(tx, userId, superadmin))) throw new LastSuperadminError()
}
