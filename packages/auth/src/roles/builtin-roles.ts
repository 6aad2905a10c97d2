/** The role that may administer the others. It holds every permission there is. */
export const superadmin = 'superadmin'

export const builtinRoles = [
  { name: superadmin, displayName: 'Super administrator', priority: 100 },
  { name: 'admin', displayName: 'Administrator', priority: 80 },
  { name: 'user', displayName: 'User', priority: 10 },
]

/** What every account may do of itself. It is no power over others, and given to a program it is none at all. */
export const ownAccount = 'auth:self:manage'

export const builtinPermissions = [
  { name: ownAccount, displayName: 'Manage the own account', category: 'auth' },
  { name: 'user:read', displayName: 'See users', category: 'user' },
  { name: 'user:write', displayName: 'Change users', category: 'user' },
  { name: 'user:delete', displayName: 'Delete users', category: 'user' },
  { name: 'user:invite', displayName: 'Invite users', category: 'user' },
  { name: 'rbac:role:manage', displayName: 'Manage roles', category: 'rbac' },
  { name: 'rbac:permission:manage', displayName: 'Manage permissions', category: 'rbac' },
  { name: 'audit:read', displayName: 'Read the audit trail', category: 'audit' },
] as const

/** What the other two grant on the first start. */
export const builtinGrants = {
  admin: [ownAccount, 'user:read', 'user:write', 'user:delete', 'user:invite', 'audit:read'],
  user: [ownAccount],
}
