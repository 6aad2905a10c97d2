import { defineMiddleware, ForbiddenError, type MiddlewareDocuments } from '@svc/core'
import { getAuth } from '../authenticate/context.ts'

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
) {
  return defineMiddleware(
    `permission ${names.join(' ')}`,
    (c, next) => {
      // Nobody signed in is 401, before anything is said of permissions.
      const { permissions } = getAuth(c)
      if (!isEnough(new Set(permissions))) {
        throw new ForbiddenError({ message: 'Your role does not permit this.' })
      }
      return next()
    },
    { documents },
  )
}

function listed(names: string[], word: 'and' | 'or') {
  const permission = names.length === 1 ? 'the permission' : 'the permissions'
  return `${permission} ${names.map((name) => `\`${name}\``).join(` ${word} `)}`
}
