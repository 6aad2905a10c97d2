import { defineMiddleware, ForbiddenError, type Middleware } from '@svc/core'
import { getAuth } from '../authenticate/context.ts'

/** Lets in whoever has one of the roles. */
export const requireRole = (...names: string[]): Middleware => roleGuard({ allow: names })

/** Lets in the roles of `allow`, or all where there is none, and never those of `deny`. */
export function roleGuard({
  allow,
  deny = [],
}: {
  allow?: readonly string[]
  deny?: readonly string[]
}): Middleware {
  return defineMiddleware('role', (c, next) => {
    const { role, roleIsActive } = getAuth(c)
    const isAllowed = roleIsActive && (allow?.includes(role) ?? true) && !deny.includes(role)
    if (!isAllowed) throw new ForbiddenError({ message: 'Your role does not permit this.' })
    return next()
  })
}
