import type { CallerRow } from './caller-types.ts'

/** What an operator needs to open a support session, and to keep it. */
export const supportPermission = 'support:act'

interface Given {
  read: (keyId: string) => Promise<CallerRow | null>
  rolesAtGates: ReadonlySet<string>
}

/**
 * The key of a support session as it is now. It is revoked if its operator could not open it any
 * more, and lives no longer than the key that opened it.
 */
export async function withOperator(row: CallerRow, { read, rolesAtGates }: Given) {
  const operator = await read(row.actorKeyId ?? '')
  const mayAct = operator && mayStillAct(operator, row) && !hasMore(row, operator, rolesAtGates)
  if (!mayAct) return { ...row, state: 'revoked' }
  const ends = Math.min(row.keyExpiresAt.getTime(), operator.keyExpiresAt.getTime())
  return { ...row, keyExpiresAt: new Date(ends) }
}

function mayStillAct(operator: CallerRow, row: CallerRow) {
  const isTheirs = operator.userId === row.actorId && operator.kind === 'device'
  const signs = operator.state === 'active' && operator.status === 'active'
  const may = operator.permissions.includes(supportPermission) && !operator.passwordChangeRequired
  return isTheirs && signs && may && isAbove(operator, row)
}

type Powers = Pick<CallerRow, 'roles' | 'permissions'>

/**
 * Whether an account may do what its operator may not. What the role `user` permits is its owner's own; with any other
 * role, a session would be a way to more power: to its permissions, and through gates that let it in by its name.
 */
export function hasMore(
  { roles, permissions }: Powers,
  operator: Powers,
  rolesAtGates: ReadonlySet<string>,
) {
  const others = roles.filter((role) => role !== 'user')
  if (others.length === 0) return false
  if (permissions.some((name) => !operator.permissions.includes(name))) return true
  // Superadmins may give themselves any role.
  if (operator.roles.includes('superadmin')) return false
  return others.some((role) => rolesAtGates.has(role) && !operator.roles.includes(role))
}

/** As when it was opened: no operator acts as an account of an equal or higher role. */
function isAbove(operator: CallerRow, { roles, inactiveRoles, rolePriority }: CallerRow) {
  if ([...roles, ...inactiveRoles].includes('superadmin')) return false
  return operator.roles.includes('superadmin') || operator.rolePriority > rolePriority
}
