import { ForbiddenError, type Tx } from '@svc/core'
import { readAccount } from '../authenticate/authenticate.ts'
import { escalation, type Role, superadmin } from '../roles/roles.ts'

/**
 * Operators give only what they hold, and what ranks below their own role: with a new account, and with an address that
 * lets its reader into an account. An application's own code has no actor, and no limit.
 */
export async function refuseBeyond(tx: Tx, actor: string | null | undefined, role: Role) {
  if (!actor) return
  const account = await readAccount(tx, actor)
  if (account?.status !== 'active') throw new ForbiddenError()
  const refused = account.roles.includes(superadmin) ? null : escalation(account, role)
  if (refused) throw refused
}
