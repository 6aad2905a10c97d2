import {
  DefinitionError,
  defineMiddleware,
  ForbiddenError,
  type Middleware,
  type MiddlewareDocuments,
  type RawContext,
  type TableRow,
} from '@svc/core'
import { nearest } from '@svc/core/nearest'
import { challengeScopes, getAuth, refuseProgram } from '../caller/caller.ts'
import { knownPermissionsOf, type RoleDeclarations } from './declare-roles.ts'
import type { RoleGuard } from './gives-power.ts'

const refusals = {
  device: 'Your role does not allow this.',
  machine: 'This key does not have the permission, or its owner no longer has it.',
  agent: 'This token does not have the scope, or its owner may not do this.',
  support: 'The role of the account does not allow this.',
}

/** A middleware that asks for permissions, and says for which. */
interface PermissionGuard extends Middleware {
  readonly permissions: readonly string[]
}

/** Refuses whoever lacks one of the permissions. */
export const requirePermissions = (...names: string[]) =>
  requirePermission(
    { all: names },
    {
      requires: `Needs ${listed(names, 'and')}.`,
      errors: [ForbiddenError],
      extensions: { 'x-svc-permissions': names },
    },
  )

/** Refuses whoever has none of the permissions. */
export const requireAnyPermission = (...names: string[]) =>
  requirePermission(
    { any: names },
    {
      requires: `Needs ${listed(names, 'or')}.`,
      errors: [ForbiddenError],
    },
  )

type Required = { all: string[] } | { any: string[] }

function requirePermission(required: Required, documents: MiddlewareDocuments): PermissionGuard {
  const names = 'all' in required ? required.all : required.any
  const guard = defineMiddleware(
    `permission ${names.join(' ')}`,
    (c, next) => {
      // Nobody signed in is 401, before anything is said of permissions.
      const { permissions, kind } = getAuth(c)
      const lacking = names.filter((name) => !permissions.includes(name))
      const isEnough = 'all' in required ? lacking.length === 0 : lacking.length < names.length
      if (isEnough) return next()
      // Of several that would do, the first that a token can get is asked for.
      if ('all' in required) challengeScopes(c, lacking)
      else lacking.some((name) => challengeScopes(c, [name]))
      logRefusal(c, { lacking })
      throw new ForbiddenError({ message: refusals[kind] })
    },
    { documents },
  )
  return { ...guard, permissions: names }
}

/**
 * Tells a developer what the caller lacks. The answer doesn't: production publishes no list of what a route asks for. There
 * it is a line of `debug`, because every user with an account could fill the log.
 */
function logRefusal({ server, requestId, incoming }: RawContext, lack: object) {
  const { log, source } = server
  const level = source['NODE_ENV'] === 'production' ? 'debug' : 'info'
  const { method, url } = incoming
  log[level]({ requestId, method, url, status: 403, ...lack }, 'the caller may not do this')
}

function listed(names: string[], word: 'and' | 'or') {
  const permission = names.length === 1 ? 'the permission' : 'the permissions'
  return `${permission} ${names.map((name) => `\`${name}\``).join(` ${word} `)}`
}

/** Lets in whoever has one of the roles, and no program of theirs: a role is more than the permissions that it grants. */
export const requireRole = (...names: string[]): RoleGuard => roleGuard({ allow: names })

/** Accepts users who have a role of `allow`, or all users without `allow`. Refuses users who have a role of `deny`. */
export function roleGuard({
  allow,
  deny = [],
}: {
  allow?: readonly string[]
  deny?: readonly string[]
}): RoleGuard {
  const guard = defineMiddleware(
    'role',
    (c, next) => {
      const caller = getAuth(c)
      refuseProgram(caller)
      const { roles, inactiveRoles } = caller
      const isAllowed = roles.some((role) => allow?.includes(role) ?? true)
      // One that was made inactive must not open what is closed to it.
      const isDenied = [...roles, ...inactiveRoles].some((role) => deny.includes(role))
      if (isAllowed && !isDenied) return next()
      logRefusal(c, { role: caller.role, ...(roles.length > 1 && { roles }) })
      throw new ForbiddenError({ message: refusals.device })
    },
    { documents: { requires: rolesInWords(allow, deny), errors: [ForbiddenError] } },
  )
  return { ...guard, roles: allow ?? [] }
}

function rolesInWords(allow: readonly string[] | undefined, deny: readonly string[]) {
  const either = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(' or ')
  const allowed = allow ? `Needs the role ${either(allow)}. ` : ''
  const denied = deny.length > 0 ? `The role ${either(deny)} may not call it. ` : ''
  return `${allowed}${denied}Machine keys and agents may not call it.`
}

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
