import { defineMiddleware, ForbiddenError } from '@svc/core'
import type { Caller } from './caller.ts'
import { getAuth, getOptionalAuth } from './context.ts'

const documents = { requires: 'No machine key and no agent may call it.', errors: [ForbiddenError] }

/** For routes that are not for programs: lets in who has signed in on a device, and neither machines nor agents. */
export const requirePerson = defineMiddleware(
  'person',
  (c, next) => {
    refuseProgram(getAuth(c))
    return next()
  },
  { documents },
)

/** The same for routes that may be called without signing in. */
export const personOrNobody = defineMiddleware(
  'person or nobody',
  (c, next) => {
    const caller = getOptionalAuth(c)
    if (caller) refuseProgram(caller)
    return next()
  },
  { documents },
)

/** A program has the permissions that were chosen for it. Whatever goes by anything else is closed to it. */
export function refuseProgram({ kind }: Pick<Caller, 'kind'>) {
  if (kind !== 'device') throw new ForbiddenError({ message: 'No program may do this.' })
}
