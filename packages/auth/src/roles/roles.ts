import type { Db, Tx } from '@svc/core'
import { inArray, type SQL } from 'drizzle-orm'
import { recordAudit } from '../audit/audit.ts'
import { type Needs, runningAuth } from '../auth.ts'
import { readAccount } from '../authenticate/authenticate.ts'
import { type CallerKind, callerFrom } from '../caller/caller.ts'
import { inTransaction } from '../in-transaction.ts'
import { roleGrantsChanged } from '../streams/streams.ts'
import { refuseUnknownPermissions } from './change-roles.ts'
import type { RoleItem } from './contract.ts'
import { superadmin } from './declare-roles.ts'
import { BuiltinRoleError, RoleNotFoundError } from './errors.ts'
import { roles } from './schema.ts'
import * as store from './store.ts'
import { findByName, listAll, roleItem } from './store.ts'

export {
  createRole,
  deleteRole,
  type NewRole,
  type RoleChanges,
  updateRole,
} from './change-roles.ts'
export {
  builtinGrants,
  builtinPermissions,
  builtinRoles,
  checkDeclarations,
  declareRoles,
  ownAccount,
  type RoleDeclaration,
  type RoleDeclarations,
  superadmin,
} from './declare-roles.ts'
export { givesPower, rolesAtGates } from './gives-power.ts'
export {
  checkAskedPermissions,
  requireAnyPermission,
  requirePermissions,
  requireRole,
  roleGuard,
} from './guards.ts'
export {
  escalation,
  holdSuperadmin,
  lockBelow,
  refuseAbove,
  refuseLastSuperadmin,
  refuseLost,
} from './rank.ts'
export { hasRoles, isMigrated } from './store.ts'

// A role, for folders that give one to somebody.

export type Role = store.Role

export function findRole(db: Db, name: string) {
  return store.findByName(db, name)
}

/** Nobody deletes or renames it until this transaction ends. Always after the accounts. */
export function holdRole(tx: Tx, name: string) {
  return store.holdByName(tx, name)
}

// What an account may do is asked of the database every time. One that is unknown or not active may do nothing.

/** The highest role of an account of any status; null if there is no such account. */
export async function getUserRole(userId: string): Promise<string | null> {
  return (await accountOf(userId))?.role ?? null
}

/** Every role of an account of any status, also inactive roles, the highest first; empty if there is no account. */
export async function getUserRoles(userId: string): Promise<string[]> {
  const { roles: active = [], inactiveRoles = [] } = (await accountOf(userId)) ?? {}
  return [...active, ...inactiveRoles]
}

/** What an account may do now. */
export async function getUserPermissions(userId: string): Promise<string[]> {
  return (await activeAccount(userId))?.permissions ?? []
}

/**
 * What may be done with a key now, which is less than what its account may where it is a machine's: for whoever is told
 * a key and no request, as `authorize` of streams is.
 */
export async function getKeyPermissions(keyId: string): Promise<string[]> {
  const { callers, clock } = runningAuth()
  const row = await callers(keyId)
  const isLive = row?.state === 'active' && row.keyExpiresAt > clock.now()
  return isLive && row.status === 'active' ? [...callerFrom(row).permissions] : []
}

/**
 * What a key is: of a device, a machine or a support session. Null if there is none. For code that is told a key and no
 * request, as the rules of streams are.
 */
export async function getKeyKind(keyId: string): Promise<CallerKind | null> {
  return (await runningAuth().callers(keyId))?.kind ?? null
}

/** Whether an active account holds it. False if there is no such account. */
export async function hasPermission(userId: string, permission: string): Promise<boolean> {
  return hasAllPermissions(userId, [permission])
}

/** Whether it holds at least one of them. */
export async function hasAnyPermission(
  userId: string,
  permissions: readonly string[],
): Promise<boolean> {
  const account = await activeAccount(userId)
  return permissions.some((name) => account?.permissions.includes(name))
}

/** Whether it holds every one of them. */
export async function hasAllPermissions(
  userId: string,
  permissions: readonly string[],
): Promise<boolean> {
  const account = await activeAccount(userId)
  return account !== null && permissions.every((name) => account.permissions.includes(name))
}

/** Whether an active account has this role. */
export async function hasRole(userId: string, role: string): Promise<boolean> {
  return hasAnyRole(userId, [role])
}

/** Whether an active account has at least one of them. */
export async function hasAnyRole(userId: string, roleNames: readonly string[]): Promise<boolean> {
  const account = await activeAccount(userId)
  return account?.roles.some((name) => roleNames.includes(name)) ?? false
}

async function activeAccount(userId: string) {
  const account = await accountOf(userId)
  return account?.status === 'active' && account.roleIsActive ? account : null
}

function accountOf(userId: string) {
  return readAccount(runningAuth().db, userId)
}

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

/** Adds to what a role grants, and returns all that it grants then. */
export async function addPermissionToRole(name: string, permission: string): Promise<string[]> {
  await refuseUnknownPermissions(runningAuth().db, [permission])
  const permissions = store.namesWith(roles.permissions, store.textArray([permission]))
  return regrant(name, { permissions, details: { added: permission } })
}

/** Takes a permission away from a role, and returns all that it grants then. */
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
  return inTransaction(db, async (tx) => {
    const changed = await store.changeByName(tx, name, { permissions })
    if (!changed) throw new RoleNotFoundError()
    const { roleId: target } = changed
    const act = 'role.updated'
    await recordAudit(tx, { act, target, details: { role: name, ...details }, at: clock.now() })
    await roleGrantsChanged.emit({ role: name })
    return changed.permissions
  })
}

export async function listRoles({ db }: Needs<'db'>) {
  const all = await listAll(db)
  return { roles: all.map(roleItem) }
}

/** Every role, the highest priority first. */
export async function getAllRoles(): Promise<RoleItem[]> {
  const listing = await listRoles(runningAuth())
  return listing.roles
}

/** The role of this name, or null. */
export async function getRoleByName(name: string): Promise<RoleItem | null> {
  const role = await findByName(runningAuth().db, name)
  return role && roleItem(role)
}

/** Roles with what they are called, in the order of their names here. */
export async function describeRoles(db: Db, names: readonly string[]) {
  const { name, displayName, priority } = roles
  const found = await db
    .select({ name, displayName, priority })
    .from(roles)
    .where(inArray(name, [...names]))
  return found.toSorted((one, other) => names.indexOf(one.name) - names.indexOf(other.name))
}
