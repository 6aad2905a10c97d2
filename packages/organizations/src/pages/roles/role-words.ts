import { useCallback } from 'react'
import type { OwnOrganization, Role } from '../organization-api.ts'
import { useOrganizationSay } from '../provider/organization-provider.tsx'

const builtIn: Readonly<Record<string, string>> = {
  owner: 'Owner',
  admin: 'Admin',
  member: 'Member',
}

/** Names of roles as a list in words: as the organization calls them, or by their own names where that is not told. */
export function useRoleWords(known: readonly Pick<Role, 'name' | 'displayName'>[] = []) {
  const say = useOrganizationSay()
  return useCallback(
    (names: readonly string[]) => {
      const order = [...known.map(({ name }) => name), ...Object.keys(builtIn)]
      const words = names
        .toSorted((a, b) => order.indexOf(a) - order.indexOf(b))
        .map((name) => {
          const found = known.find((role) => role.name === name)?.displayName
          const always = Object.hasOwn(builtIn, name) ? builtIn[name] : undefined
          return say.fromApi(found ?? always ?? name)
        })
      return new Intl.ListFormat(say.locale, { type: 'unit' }).format(words)
    },
    [say, known],
  )
}

/** Whether a member may give and take a role: it allows no more than their own roles do. */
export function isWithin(
  { roles, permissions }: Pick<OwnOrganization, 'roles' | 'permissions'>,
  role: Pick<Role, 'name' | 'permissions'>,
) {
  if (role.name === 'owner') return roles.includes('owner')
  return role.permissions.every((name) => permissions.includes(name))
}

/** The same of several roles, by their names. */
export function areWithin(
  organization: OwnOrganization,
  names: readonly string[],
  roles: readonly Role[],
) {
  return roles
    .filter(({ name }) => names.includes(name))
    .every((role) => isWithin(organization, role))
}
