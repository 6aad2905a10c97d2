import { ForbiddenError } from '@svc/core'
import type { Caller } from '../caller/caller.ts'

/** What a role would let its holders do. */
export interface Grant {
  priority?: number | undefined
  permissions?: readonly string[] | undefined
}

type Grantor = Pick<Caller, 'rolePriority' | 'permissions'>

/** Nobody grants what they do not hold, nor makes a role that ranks with their own. */
export function refuseEscalation(caller: Grantor, grant: Grant) {
  const refused = escalation(caller, grant)
  if (refused) throw refused
}

/** What whoever grants it is refused with; null where they may. */
export function escalation(caller: Grantor, { priority = 0, permissions = [] }: Grant) {
  const holds = permissions.every((name) => caller.permissions.includes(name))
  if (!holds) return new ForbiddenError({ message: 'You do not hold what you grant.' })
  if (priority < caller.rolePriority) return null
  return new ForbiddenError({ message: 'The priority must be below that of your own role.' })
}
