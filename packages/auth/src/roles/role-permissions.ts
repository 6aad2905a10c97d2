import type { SQL } from 'drizzle-orm'
import { roles } from '../accounts/role-schema.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { runningAuth } from '../auth.ts'
import { roleGrantsChanged } from '../streams/revocations.ts'
import { superadmin } from './builtin-roles.ts'
import { BuiltinRoleError, RoleNotFoundError } from './errors.ts'
import { refuseUnknownPermissions } from './refuse-unknown-permissions.ts'
import * as store from './store.ts'

// Each change is one statement on what the row holds by then, so that none of several at once is lost.

/** What a role grants; nothing where there is no such role. */
export async function getRolePermissions(name: string): Promise<string[]> {
  const role = await store.findByName(runningAuth().db, name)
  return role?.permissions ?? []
}

/** Sets what a role grants, and answers it. The superadmin's cannot be changed: it holds everything. */
export async function setRolePermissions(
  name: string,
  permissions: readonly string[],
): Promise<string[]> {
  await refuseUnknownPermissions(runningAuth().db, permissions)
  const set = store.sortedNames(permissions)
  return regrant(name, { permissions: set, details: { set } })
}

export async function addPermissionToRole(name: string, permission: string): Promise<string[]> {
  await refuseUnknownPermissions(runningAuth().db, [permission])
  const permissions = store.namesWith(roles.permissions, store.textArray([permission]))
  return regrant(name, { permissions, details: { added: permission } })
}

export async function removePermissionFromRole(
  name: string,
  permission: string,
): Promise<string[]> {
  const permissions = store.namesWithout(roles.permissions, permission)
  return regrant(name, { permissions, details: { removed: permission } })
}

interface Regrant {
  permissions: string[] | SQL
  details: Record<string, unknown>
}

function regrant(name: string, { permissions, details }: Regrant) {
  if (name === superadmin) throw new BuiltinRoleError()
  const { db, clock } = runningAuth()
  return db.transaction(async (tx) => {
    const changed = await store.changeByName(tx, name, { permissions })
    if (!changed) throw new RoleNotFoundError()
    const { roleId: target } = changed
    const act = 'role.updated'
    await recordAudit(tx, { act, target, details: { role: name, ...details }, at: clock.now() })
    await roleGrantsChanged.emit({ role: name })
    return changed.permissions
  })
}
