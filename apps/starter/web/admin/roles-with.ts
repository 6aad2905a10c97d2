import type { RoleItem } from '@svc/auth'

/** The list with a role that was created or changed, the highest priority first, as the API has it. */
export function rolesWith(roles: readonly RoleItem[], changed: RoleItem): RoleItem[] {
  return [...roles.filter(({ roleId }) => roleId !== changed.roleId), changed].toSorted(
    (a, b) => b.priority - a.priority || (a.name < b.name ? -1 : 1),
  )
}
