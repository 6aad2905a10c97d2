import type { CallerRow } from './caller-types.ts'

/** What an operator needs to open a support session, and to keep it. */
export const supportPermission = 'support:act'

type Read = (keyId: string) => Promise<CallerRow | null>

/**
 * The key of a support session as it is now: revoked where its operator could not open it any more, and with no longer
 * a life than the key that it was opened with.
 */
export async function withOperator(row: CallerRow, read: Read): Promise<CallerRow> {
  const operator = await read(row.actorKeyId ?? '')
  if (!operator || !mayStillAct(operator, row)) return { ...row, state: 'revoked' }
  const ends = Math.min(row.keyExpiresAt.getTime(), operator.keyExpiresAt.getTime())
  return { ...row, keyExpiresAt: new Date(ends) }
}

function mayStillAct(operator: CallerRow, row: CallerRow) {
  const isTheirs = operator.userId === row.actorId && operator.kind === 'device'
  const signs = operator.state === 'active' && operator.status === 'active'
  const may = operator.permissions.includes(supportPermission) && !operator.passwordChangeRequired
  return isTheirs && signs && may && isAbove(operator, row) && !hasMore(row, operator)
}

type Powers = Pick<CallerRow, 'roles' | 'permissions'>

/**
 * Whether an account may do what its operator may not. What the role `user` permits is its owner's own; with any other
 * role, a session would be a way to more power.
 */
export function hasMore({ roles, permissions }: Powers, operator: Powers) {
  const isUser = roles.every((role) => role === 'user')
  return !isUser && permissions.some((name) => !operator.permissions.includes(name))
}

/** As when it was opened: no operator acts as an account that ranks with theirs. */
function isAbove(operator: CallerRow, { roles, inactiveRoles, rolePriority }: CallerRow) {
  if ([...roles, ...inactiveRoles].includes('superadmin')) return false
  return operator.roles.includes('superadmin') || operator.rolePriority > rolePriority
}
