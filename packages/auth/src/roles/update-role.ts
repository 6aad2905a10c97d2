import type { Tx } from '@svc/core'
import { recordAudit } from '../audit/record-audit.ts'
import { type Needs, runningAuth } from '../auth.ts'
import { type Author } from '../caller/audit-entry.ts'
import type { FreshCaller } from '../caller/caller.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import { roleGrantsChanged } from '../streams/revocations.ts'
import { superadmin } from './builtin-roles.ts'
import type { RoleItem } from './contract.ts'
import { BuiltinRoleError, RoleAlreadyExistsError, RoleNotFoundError } from './errors.ts'
import { refuseEscalation } from './refuse-escalation.ts'
import { refuseUnknownPermissions } from './refuse-unknown-permissions.ts'
import { roleItem } from './role-item.ts'
import * as store from './store.ts'

export interface RoleChanges {
  name?: string | undefined
  displayName?: string | undefined
  description?: string | undefined
  priority?: number | undefined
  permissions?: string[] | undefined
}

interface Request {
  caller: FreshCaller
  roleId: string
  changes: RoleChanges
  origin: RequestOrigin
}

export async function updateAdminRole(
  { db, clock }: Needs<'db' | 'clock'>,
  { caller, roleId, changes, origin }: Request,
) {
  await refuseUnknownPermissions(db, changes.permissions)
  return db.transaction(async (tx) => {
    const role = await store.lockById(tx, roleId, 'no key update')
    if (!role) throw new RoleNotFoundError()
    const news = newsIn(changes, role)
    refuseEscalation(caller, news)
    const by = { actor: caller.userId, origin, at: clock.now() }
    return { role: await change(tx, { role, news, by }) }
  })
}

/** Changes a role from an application's own code. One that is not active grants nothing and is given to nobody. */
export async function updateRole(
  name: string,
  changes: RoleChanges & { isActive?: boolean | undefined },
): Promise<RoleItem> {
  const { db, clock } = runningAuth()
  await refuseUnknownPermissions(db, changes.permissions)
  return db.transaction(async (tx) => {
    const role = await store.lockByName(tx, name, 'no key update')
    if (!role) throw new RoleNotFoundError()
    return change(tx, { role, news: newsIn(changes, role), by: { at: clock.now() } })
  })
}

type News = RoleChanges & { isActive?: boolean | undefined }

/** What would differ: a form that sends a role back whole asks for nothing that is there already. */
function newsIn(changes: News, role: store.Role): News {
  const permissions = changes.permissions && store.sortedNames(changes.permissions)
  const held = store.sortedNames(role.permissions)
  return {
    name: unless(role.name, changes.name),
    displayName: unless(role.displayName, changes.displayName),
    description: unless(role.description ?? '', changes.description),
    priority: unless(role.priority, changes.priority),
    isActive: unless(role.isActive, changes.isActive),
    permissions: permissions?.join() === held.join() ? undefined : permissions,
  }
}

function unless<Value>(held: Value, wanted: Value | undefined) {
  return wanted === held ? undefined : wanted
}

interface Change {
  role: store.Role
  news: News
  by: Author & { at: Date }
}

async function change(tx: Tx, { role, news, by }: Change) {
  refuseBuiltin(role, news)
  if (Object.values(news).every((value) => value === undefined)) return roleItem(role)
  const other = news.name === undefined ? null : await store.findByName(tx, news.name)
  if (other) throw new RoleAlreadyExistsError({ roleId: other.roleId })
  const changed = await store.changeByName(tx, role.name, news)
  const details = { role: role.name, ...news }
  await recordAudit(tx, { act: 'role.updated', ...by, target: role.roleId, details })
  if (changesRights(news)) await roleGrantsChanged.emit({ role: news.name ?? role.name })
  return roleItem(changed ?? role)
}

/** Its words and its priority open nothing. */
function changesRights({ name, permissions, isActive }: News) {
  return [name, permissions, isActive].some((value) => value !== undefined)
}

function refuseBuiltin({ name, isBuiltin }: store.Role, news: News) {
  const isFixed = news.name !== undefined || news.priority !== undefined || news.isActive === false
  const takesFromSuperadmin = name === superadmin && news.permissions !== undefined
  if (isBuiltin && (isFixed || takesFromSuperadmin)) throw new BuiltinRoleError()
}
