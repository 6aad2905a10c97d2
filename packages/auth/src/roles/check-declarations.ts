import { DefinitionError } from '@svc/core'
import type { PermissionDeclaration } from '../capability/capability.ts'
import { builtinPermissions, builtinRoles } from './builtin-roles.ts'
import { highestPriority, permissionName, roleName } from './names.ts'

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
