import { DefinitionError, type Middleware, type TableRow } from '@svc/core'
import { nearest } from '@svc/core/nearest'
import { knownPermissionsOf, type RoleDeclarations } from './check-declarations.ts'
import type { PermissionGuard } from './require-permissions.ts'

/** Refuses routes that ask for a permission which is not declared: no role can grant it, so no caller could ever pass. */
export function checkAskedPermissions(routes: readonly TableRow[], declarations: RoleDeclarations) {
  const known = knownPermissionsOf(declarations)
  const problems = routes.flatMap(({ name, middlewares }) =>
    askedBy(middlewares)
      .filter((permission) => !known.has(permission))
      .map((permission) => unknown(name, permission, [...known])),
  )
  if (problems.length > 0) throw new DefinitionError(problems)
}

function askedBy(middlewares: readonly Middleware[]) {
  const asked = middlewares.filter(asksForPermissions).flatMap(({ permissions }) => permissions)
  return [...new Set(asked)]
}

function asksForPermissions(middleware: Middleware): middleware is PermissionGuard {
  return 'permissions' in middleware
}

function unknown(route: string, permission: string, known: readonly string[]) {
  const meant = nearest(permission, known)
  const spelling = meant ? ` Did you mean "${meant}"? If not, declare it` : ' Declare it'
  return `Route "${route}" asks for the permission "${permission}", which is not declared.${spelling} in createAuthLifecycle({ permissions: [{ name: '${permission}', displayName, category }] }).`
}
