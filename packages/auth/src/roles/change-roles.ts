import { randomUUID } from 'node:crypto'
import { ConflictError, type Db, type Tx } from '@svc/core'
import { countHolders } from '../accounts/accounts.ts'
import { recordAudit } from '../audit/audit.ts'
import { type Needs, runningAuth } from '../auth.ts'
import type { Author, FreshCaller, RequestOrigin } from '../caller/caller.ts'
import { inTransaction } from '../in-transaction.ts'
import { roleGrantsChanged } from '../streams/streams.ts'
import type { RoleItem } from './contract.ts'
import { superadmin } from './declare-roles.ts'
import {
  BuiltinRoleError,
  PermissionNotFoundError,
  RoleAlreadyExistsError,
  RoleInUseError,
  RoleNotFoundError,
} from './errors.ts'
import { holdSuperadmin, refuseEscalation } from './rank.ts'
import * as store from './store.ts'
import { areAllDeclared, roleItem } from './store.ts'

/** A role for `createRole`. Its permissions must be declared in code. */
export interface NewRole {
  name: string
  displayName: string
  description?: string | undefined
  /** That of a user unless set. */
  priority?: number | undefined
  permissions?: readonly string[] | undefined
}

const initialPriority = 10

export async function createAdminRole(
  auth: Needs<'db' | 'clock'>,
  { caller, role, origin }: { caller: FreshCaller; role: NewRole; origin: RequestOrigin },
) {
  const { permissions, priority = initialPriority } = role
  await refuseUnknownPermissions(auth.db, permissions)
  refuseEscalation(caller, { permissions, priority })
  return inTransaction(auth.db, async (tx) => {
    const { userId: actor } = await holdSuperadmin(tx, caller)
    return { role: await insert(tx, role, { actor, origin, at: auth.clock.now() }) }
  })
}

/** Creates a role from an application's own code. */
export async function createRole(role: NewRole): Promise<RoleItem> {
  const { db, clock } = runningAuth()
  await refuseUnknownPermissions(db, role.permissions)
  return inTransaction(db, (tx) => insert(tx, role, { at: clock.now() }))
}

async function insert(tx: Tx, given: NewRole, by: Author & { at: Date }) {
  const { name, displayName, description = null, priority = initialPriority } = given
  const permissions = store.sortedNames(given.permissions ?? [])
  const role = { roleId: randomUUID(), name, displayName, description, priority, permissions }
  const created = await store.insertRole(tx, role)
  if (!created) throw await taken(tx, name)
  const details = { name, priority, permissions }
  await recordAudit(tx, { act: 'role.created', ...by, target: created.roleId, details })
  return roleItem(created)
}

/** Names the role that is there: whoever asks again, without having heard the answer, has it then. */
async function taken(tx: Tx, name: string) {
  const role = await store.findByName(tx, name)
  // Renamed or deleted in this very moment.
  return role ? new RoleAlreadyExistsError({ roleId: role.roleId }) : new ConflictError()
}

/** What `updateRole` changes. Members that you leave out stay as they are. */
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
  return inTransaction(db, async (tx) => {
    const { userId: actor } = await holdSuperadmin(tx, caller)
    const role = await store.lockById(tx, roleId, 'no key update')
    if (!role) throw new RoleNotFoundError()
    const news = newsIn(changes, role)
    refuseEscalation(caller, news)
    const by = { actor, origin, at: clock.now() }
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
  return inTransaction(db, async (tx) => {
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

/** Its words open nothing. Its priority tells which is the highest of an account that has others. */
function changesRights({ name, permissions, isActive, priority }: News) {
  return [name, permissions, isActive, priority].some((value) => value !== undefined)
}

function refuseBuiltin({ name, isBuiltin }: store.Role, news: News) {
  const isFixed = news.name !== undefined || news.priority !== undefined || news.isActive === false
  const takesFromSuperadmin = name === superadmin && news.permissions !== undefined
  if (isBuiltin && (isFixed || takesFromSuperadmin)) throw new BuiltinRoleError()
}

export async function deleteAdminRole(
  { db, clock }: Needs<'db' | 'clock'>,
  { caller, roleId, origin }: { caller: FreshCaller; roleId: string; origin: RequestOrigin },
) {
  await inTransaction(db, async (tx) => {
    const { userId: actor } = await holdSuperadmin(tx, caller)
    const role = await store.lockById(tx, roleId, 'update')
    await drop(tx, role, { actor, origin, at: clock.now() })
  })
}

/** Deletes a role from an application's own code. */
export async function deleteRole(name: string): Promise<void> {
  const { db, clock } = runningAuth()
  await inTransaction(db, async (tx) => {
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

/** A permission that is known stays known, so nothing can happen between this and what follows it. */
export async function refuseUnknownPermissions(db: Db, names: readonly string[] = []) {
  if (names.length > 0 && !(await areAllDeclared(db, names))) throw new PermissionNotFoundError()
}
