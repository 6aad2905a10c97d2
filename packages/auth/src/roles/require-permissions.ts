import {
  defineMiddleware,
  ForbiddenError,
  type Middleware,
  type MiddlewareDocuments,
} from '@svc/core'
import { getAuth } from '../caller/context.ts'
import { challengeScopes } from '../caller/scope-challenge.ts'

const refusals = {
  device: 'Your role does not permit this.',
  machine: 'This key was not given the permission for it, or its owner has lost it.',
  agent: 'This token has no scope for it, or its owner may not do it.',
}

/** A middleware that asks for permissions, and says for which. */
export interface PermissionGuard extends Middleware {
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
      // Of several that would do, one is asked for.
      challengeScopes(c, 'all' in required ? lacking : lacking.slice(0, 1))
      throw new ForbiddenError({ message: refusals[kind] })
    },
    { documents },
  )
  return { ...guard, permissions: names }
}

function listed(names: string[], word: 'and' | 'or') {
  const permission = names.length === 1 ? 'the permission' : 'the permissions'
  return `${permission} ${names.map((name) => `\`${name}\``).join(` ${word} `)}`
}
