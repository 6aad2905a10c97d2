import { randomUUID } from 'node:crypto'
import { type Db, DefinitionError, type Tx } from '@svc/core'
import { eq, sql } from 'drizzle-orm'
import { supportPermission } from '../caller/caller.ts'
import type { PermissionDeclaration } from '../capability/capability.ts'
import { inTransaction } from '../in-transaction.ts'
import { highestPriority, permissionName, roleName } from './contract.ts'
import { permissions as permissionTable, roleDeclarations, roles as roleTable } from './schema.ts'
import { namesWith } from './store.ts'

/** The role that may administer the others. It holds every permission there is. */
export const superadmin = 'superadmin'

export const builtinRoles = [
  { name: superadmin, displayName: 'Super administrator', priority: 100 },
  { name: 'admin', displayName: 'Administrator', priority: 80 },
  { name: 'user', displayName: 'User', priority: 10 },
]

/** What every account may do of itself. It is no power over others, and given to a program it is none at all. */
export const ownAccount = 'auth:self:manage'

export const builtinPermissions = [
  { name: ownAccount, displayName: 'Manage the own account', category: 'auth' },
  { name: 'user:read', displayName: 'See users', category: 'user' },
  { name: 'user:write', displayName: 'Change users', category: 'user' },
  { name: 'user:delete', displayName: 'Delete users', category: 'user' },
  { name: 'user:invite', displayName: 'Invite users', category: 'user' },
  { name: 'rbac:role:manage', displayName: 'Manage roles', category: 'rbac' },
  { name: 'rbac:permission:manage', displayName: 'Manage permissions', category: 'rbac' },
  { name: 'audit:read', displayName: 'Read the audit trail', category: 'audit' },
  { name: 'stream:read', displayName: 'See open streams', category: 'stream' },
  { name: 'stream:write', displayName: 'End open streams', category: 'stream' },
  { name: 'job:read', displayName: 'See jobs', category: 'job' },
  { name: 'job:write', displayName: 'Retry and cancel jobs', category: 'job' },
  { name: 'server:read', displayName: 'See the state of the server', category: 'server' },
  { name: supportPermission, displayName: 'Act as users', category: 'support' },
] as const

/** What the other two grant on the first start. */
export const builtinGrants = {
  admin: [
    ownAccount,
    'user:read',
    'user:write',
    'user:delete',
    'user:invite',
    'audit:read',
    'stream:read',
    'stream:write',
    'job:read',
    'job:write',
    'server:read',
  ],
  user: [ownAccount],
}

/** A role that your code proposes. If an administrator changes or deletes it, that stays. */
export interface RoleDeclaration {
  name: string
  displayName: string
  /** Whoever has a higher one may hand the role out. */
  priority: number
}

/** Roles and permissions beside the built-in ones. What administrators change of them later stays changed. */
export interface RoleDeclarations {
  roles?: readonly RoleDeclaration[]
  /** Superadmins hold all of them without being named. */
  permissions?: readonly PermissionDeclaration[]
  /** The permissions of a role, by its name. Built-in roles and permissions may be named too. */
  rolePermissions?: Readonly<Record<string, readonly string[]>>
}

/** Refuses declarations that contradict themselves: every problem at once, before anything connects. */
export function checkDeclarations(declarations: RoleDeclarations) {
  const { roles = [], permissions = [] } = declarations
  const problems = [
    ...twice('roles', roles),
    ...roles.flatMap(problemsOfRole),
    ...twice('permissions', permissions),
    ...permissions.flatMap(problemsOfPermission),
    ...problemsOfGrants(declarations),
  ]
  if (problems.length === 0) return
  throw new DefinitionError(problems.map((problem) => `createAuthLifecycle: ${problem}`))
}

function twice(list: string, declared: readonly { name: string }[]) {
  const names = declared.map(({ name }) => name)
  const repeated = names.filter((name, index) => names.indexOf(name) < index)
  return [...new Set(repeated)].map((name) => `${list} has "${name}" twice`)
}

function problemsOfRole({ name, displayName, priority }: RoleDeclaration) {
  const builtin = builtinRoles.find((role) => role.name === name)
  const isPriority = Number.isInteger(priority) && priority >= 0 && priority <= highestPriority
  return [
    !roleName.test(name) &&
      `the role name "${name}" must begin with a letter and have at most 64 letters, digits and . _ -`,
    !displayName && `the role "${name}" has no displayName`,
    !isPriority &&
      `the priority of the role "${name}" must be a whole number from 0 to ${highestPriority}`,
    builtin &&
      builtin.priority !== priority &&
      `"${name}" is a built-in role, whose priority is ${builtin.priority}`,
  ].filter((problem) => typeof problem === 'string')
}

function problemsOfPermission({ name, displayName, category }: PermissionDeclaration) {
  return [
    !(permissionName.test(name) && name.length <= 128) &&
      `the permission name "${name}" must be at most 128 letters, digits and . _ - with colons between them`,
    !displayName && `the permission "${name}" has no displayName`,
    !category && `the permission "${name}" has no category`,
  ].filter((problem) => typeof problem === 'string')
}

function problemsOfGrants({
  roles = [],
  permissions = [],
  rolePermissions = {},
}: RoleDeclarations) {
  const knownRoles = namesOf(builtinRoles, roles)
  const knownPermissions = knownPermissionsOf({ permissions })
  return Object.entries(rolePermissions).flatMap(([role, granted]) => [
    ...(knownRoles.has(role) ? [] : [`rolePermissions names an unknown role: "${role}"`]),
    ...granted
      .filter((name) => !knownPermissions.has(name))
      .map((name) => `rolePermissions.${role} names an unknown permission: "${name}"`),
  ])
}

/** The names of the built-in permissions and of those that the application declares. */
export function knownPermissionsOf({ permissions = [] }: RoleDeclarations) {
  return namesOf(builtinPermissions, permissions)
}

function namesOf(...lists: (readonly { name: string }[])[]) {
  return new Set(lists.flat().map(({ name }) => name))
}

/**
 * Brings the built-in roles and permissions and those of the code into the database. The code proposes once: a role
 * that an administrator has changed since, or deleted, stays as it is, and only what is new in the code is granted.
 */
export async function declareRoles(db: Db, declarations: RoleDeclarations) {
  const { roles = [], permissions = [], rolePermissions = {} } = declarations
  const grants = [...Object.entries(builtinGrants), ...Object.entries(rolePermissions)]
  await inTransaction(db, async (tx) => {
    // Instances that start together queue here.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('svc_auth.roles', 0))`)
    await writePermissions(tx, builtinPermissions, true)
    await writePermissions(tx, permissions, false)
    // First come, first declared: the code may have its own words for a built-in role.
    for (const role of [...roles, ...builtinRoles]) await declareRole(tx, role)
    for (const [name, granted] of grants) await declareGrants(tx, name, granted)
    await grantEverything(tx)
  })
}

/** Their words are the code's alone, so the latest count. */
async function writePermissions(
  tx: Tx,
  declared: readonly PermissionDeclaration[],
  isBuiltin: boolean,
) {
  if (declared.length === 0) return
  await tx
    .insert(permissionTable)
    .values(
      declared.map(({ name, displayName, category }) => ({
        name,
        displayName,
        category,
        isBuiltin,
      })),
    )
    .onConflictDoUpdate({
      target: permissionTable.name,
      set: { displayName: sql`excluded.display_name`, category: sql`excluded.category` },
    })
}

async function declareRole(tx: Tx, { name, displayName, priority }: RoleDeclaration) {
  const isNew = await tx
    .insert(roleDeclarations)
    .values({ name })
    .onConflictDoNothing()
    .returning({ name: roleDeclarations.name })
  if (isNew.length === 0) return
  const isBuiltin = builtinRoles.some((role) => role.name === name)
  await tx
    .insert(roleTable)
    .values({ roleId: randomUUID(), name, displayName, priority, isBuiltin })
    .onConflictDoNothing()
}

async function declareGrants(tx: Tx, name: string, granted: readonly string[]) {
  const listed = sql`${sql.param(granted)}::text[]`
  const fresh = sql`array(
    select unnest(${listed}) except select unnest(${roleDeclarations.permissions})
    from ${roleDeclarations} where ${roleDeclarations.name} = ${name})`
  await tx
    .update(roleTable)
    .set({ permissions: namesWith(roleTable.permissions, fresh) })
    .where(eq(roleTable.name, name))
  await tx
    .update(roleDeclarations)
    .set({ permissions: namesWith(roleDeclarations.permissions, listed) })
    .where(eq(roleDeclarations.name, name))
}

async function grantEverything(tx: Tx) {
  await tx
    .update(roleTable)
    .set({ permissions: sql`array(select name from ${permissionTable} order by name)` })
    .where(eq(roleTable.name, superadmin))
}
