import type { RoleItem } from '@svc/auth'

const builtIn: Record<string, string> = {
  user: 'User',
  admin: 'Administrator',
  superadmin: 'Super administrator',
}

/** What a role is called. Who is not told which roles there are knows those that are always there; any other has its name. */
export function roleWords(role: string, roles: RoleItem[] | null) {
  const known = roles?.find(({ name }) => name === role)
  if (known) return known.displayName
  return Object.hasOwn(builtIn, role) ? builtIn[role] : role
}
