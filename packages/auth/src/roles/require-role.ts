import { defineMiddleware, ForbiddenError, type Middleware } from '@svc/core'
import { getAuth } from '../caller/context.ts'
import { refuseProgram } from '../caller/require-person.ts'
import { nameGate } from './gives-power.ts'

/** Lets in whoever has one of the roles, and no program of theirs: a role is more than the permissions that it grants. */
export const requireRole = (...names: string[]): Middleware => roleGuard({ allow: names })

/** Lets in the roles of `allow`, or all where there is none, and never those of `deny`. */
export function roleGuard({
  allow,
  deny = [],
}: {
  allow?: readonly string[]
  deny?: readonly string[]
}): Middleware {
  nameGate(allow ?? [])
  return defineMiddleware(
    'role',
    (c, next) => {
      const caller = getAuth(c)
      refuseProgram(caller)
      const { role, roleIsActive } = caller
      const isAllowed = roleIsActive && (allow?.includes(role) ?? true) && !deny.includes(role)
      if (!isAllowed) throw new ForbiddenError({ message: 'Your role does not permit this.' })
      return next()
    },
    { documents: { requires: rolesInWords(allow, deny), errors: [ForbiddenError] } },
  )
}

function rolesInWords(allow: readonly string[] | undefined, deny: readonly string[]) {
  const listed = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(' or ')
  const allowed = allow ? `Needs the role ${listed(allow)}. ` : ''
  const denied = deny.length > 0 ? `It is closed to the role ${listed(deny)}. ` : ''
  return `${allowed}${denied}No machine key and no agent may call it.`
}
