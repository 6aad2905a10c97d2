/** A permission of your application in an organization, such as `invoice:write`. */
export interface OrganizationPermission {
  readonly name: string
  readonly displayName: string
}

/** What the operations of this package ask for. */
const ownPermissions = [
  { name: 'organization:update', displayName: 'Change the name' },
  { name: 'organization:close', displayName: 'Close the organization' },
  { name: 'member:invite', displayName: 'Invite members' },
  { name: 'member:update', displayName: 'Change the roles of members' },
  { name: 'member:remove', displayName: 'Remove members' },
  { name: 'domain:manage', displayName: 'Manage domains' },
  { name: 'role:manage', displayName: 'Manage roles' },
  { name: 'team:manage', displayName: 'Manage teams' },
  { name: 'policy:update', displayName: 'Change the policies' },
  { name: 'machine:manage', displayName: 'Manage machines' },
  { name: 'audit:read', displayName: 'Read the audit trail' },
  { name: 'agent:connect', displayName: 'Connect agents' },
] as const satisfies readonly OrganizationPermission[]

// Both can shut an owner out.
const ofOwners: readonly string[] = ['organization:close', 'policy:update']

export const builtInRoles = ['owner', 'admin', 'member'] as const
/** What they are called. */
export const builtInNames = { owner: 'Owner', admin: 'Admin', member: 'Member' } as const
/** A role that every organization has. */
export type BuiltInRole = (typeof builtInRoles)[number]

export const isBuiltIn = (name: string): name is BuiltInRole =>
  builtInRoles.some((each) => each === name)

/** Which permissions the built-in roles grant. An owner has all of them. */
export interface BuiltInGrants {
  /** All but `organization:close` and `policy:update` unless set. */
  readonly admin?: readonly string[]
  /** None unless set. */
  readonly member?: readonly string[]
}

/** The permissions and built-in roles of a server. */
export interface Permissions {
  readonly all: readonly OrganizationPermission[]
  readonly names: readonly string[]
  readonly ofRole: Readonly<Record<BuiltInRole, readonly string[]>>
}

export function permissionsOf(
  declared: readonly OrganizationPermission[],
  { admin, member = [] }: BuiltInGrants,
): Permissions {
  const all = [...ownPermissions, ...declared]
  const names = all.map(({ name }) => name)
  refuseUnknown(names, [...(admin ?? []), ...member])
  const ofAdmin = admin ?? names.filter((name) => !ofOwners.includes(name))
  return { all, names, ofRole: { owner: names, admin: ofAdmin, member } }
}

function refuseUnknown(names: readonly string[], granted: readonly string[]) {
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) {
    throw new Error(`organizations: the permission "${twice}" is declared twice.`)
  }
  const unknown = granted.find((name) => !names.includes(name))
  if (unknown === undefined) return
  throw new Error(
    `organizations: a built-in role is given the permission "${unknown}", which is not declared: add it to permissions.`,
  )
}

/** What several roles permit together: the built-in ones, and the permissions that were read for the others. */
export function grantedTo(
  { names, ofRole }: Permissions,
  roles: readonly string[],
  further: readonly string[],
): readonly string[] {
  const granted = new Set([
    ...roles.filter(isBuiltIn).flatMap((role) => ofRole[role]),
    // A permission that the application does not declare any more permits nothing.
    ...further.filter((name) => names.includes(name)),
  ])
  return names.filter((name) => granted.has(name))
}
