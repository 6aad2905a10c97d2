import type { Tx } from '@svc/core'
import { countHolders } from '../accounts/role-holders.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { type Needs, runningAuth } from '../auth.ts'
import { type Author } from '../caller/audit-entry.ts'
import type { FreshCaller } from '../caller/caller.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import { BuiltinRoleError, RoleInUseError, RoleNotFoundError } from './errors.ts'
import * as store from './store.ts'

export async function deleteAdminRole(
  { db, clock }: Needs<'db' | 'clock'>,
  { caller, roleId, origin }: { caller: FreshCaller; roleId: string; origin: RequestOrigin },
) {
  await db.transaction(async (tx) => {
    const role = await store.lockById(tx, roleId, 'update')
    await drop(tx, role, { actor: caller.userId, origin, at: clock.now() })
  })
}

/** Deletes a role from an application's own code. */
export async function deleteRole(name: string): Promise<void> {
  const { db, clock } = runningAuth()
  await db.transaction(async (tx) => {
    const role = await store.lockByName(tx, name, 'update')
    await drop(tx, role, { at: clock.now() })
  })
}

async function drop(tx: Tx, role: store.Role | null, by: Author & { at: Date }) {
  if (!role) throw new RoleNotFoundError()
  const { roleId, name, isBuiltin } = role
  if (isBuiltin) throw new BuiltinRoleError()
  const userCount = await countHolders(tx, name)
  if (userCount > 0) throw new RoleInUseError({ userCount })
  await store.deleteById(tx, roleId)
  await recordAudit(tx, { act: 'role.deleted', ...by, target: roleId, details: { name } })
}
