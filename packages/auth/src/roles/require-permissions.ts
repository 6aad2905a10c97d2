import {
  defineMiddleware,
  ForbiddenError,
  type Middleware,
  type MiddlewareDocuments,
} from '@svc/core'
import { getAuth } from '../authenticate/context.ts'

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
  requirePermission(names, (held) => names.every((name) => held.has(name)), {
    requires: `Needs ${listed(names, 'and')}.`,
    errors: [ForbiddenError],
    extensions: { 'x-svc-permissions': names },
  })

/** Refuses whoever has none of the permissions. */
export const requireAnyPermission = (...names: string[]) =>
  requirePermission(names, (held) => names.some((name) => held.has(name)), {
    requires: `Needs ${listed(names, 'or')}.`,
    errors: [ForbiddenError],
  })

function requirePermission(
  names: string[],
  isEnough: (held: ReadonlySet<string>) => boolean,
  documents: MiddlewareDocuments,
): PermissionGuard {
  const guard = defineMiddleware(
    `permission ${names.join(' ')}`,
    (c, next) => {
      // Nobody signed in is 401, before anything is said of permissions.
      const { permissions, kind } = getAuth(c)
      if (!isEnough(new Set(permissions))) throw new ForbiddenError({ message: refusals[kind] })
      return next()
    },
    { documents },
  )
  return { ...guard, permissions: names }
}

function listed(names: string[], word: 'and' | 'or') {
  const permission = names.length === 1 ? 'the permission' : 'the permissions'
  return `${permission} ${names.map((name) => `\`${name}\``).join(` ${word} `)}`
}
