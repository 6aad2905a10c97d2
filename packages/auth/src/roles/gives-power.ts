import type { Middleware, TableRow } from '@svc/core'
import type { Needs } from '../auth.ts'
import { ownAccount } from './declare-roles.ts'
import type { Role } from './store.ts'

/** A middleware that lets certain roles in, and says which. */
export interface RoleGuard extends Middleware {
  readonly roles: readonly string[]
}

function namesRoles(middleware: Middleware): middleware is RoleGuard {
  return 'roles' in middleware
}

/** Roles that a route lets in by name. */
export function rolesAtGates(routes: readonly TableRow[]): ReadonlySet<string> {
  const gates = routes.flatMap(({ middlewares }) => middlewares).filter(namesRoles)
  return new Set(gates.flatMap(({ roles }) => roles))
}

/** The role that every account has by default. */
const everyones = 'user'

/** Whether users with the role may do more than manage their own account. */
export function givesPower(auth: Needs<'rolesAtGates'>, { name, isBuiltin, permissions }: Role) {
  if (permissions.some((permission) => permission !== ownAccount)) return true
  return name !== everyones && (isBuiltin || auth.rolesAtGates.has(name))
}
