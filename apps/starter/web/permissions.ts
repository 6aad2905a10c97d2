import type { AuthSession } from '@svc/auth'
import type { PermissionName } from '@svc/auth/server'

/** The permissions that api/server.ts declares. If one is missing here, routes that ask for it do not compile. */
declare module '@svc/auth/server' {
  interface AppPermissions {
    names: 'notice:read' | 'notice:write'
  }
}

/** What a permission allows, in words for people. A permission without words does not compile. */
export const wordsOfPermissions: Record<PermissionName, string> = {
  'auth:self:manage': 'Manage their own account',
  'user:read': 'See users',
  'user:write': 'Change users',
  'user:delete': 'Delete users',
  'user:invite': 'Invite users',
  'rbac:role:manage': 'Manage roles',
  'rbac:permission:manage': 'Manage permissions',
  'audit:read': 'Read the audit trail',
  'stream:read': 'See open streams',
  'stream:write': 'End open streams',
  'job:read': 'See jobs',
  'job:write': 'Retry and cancel jobs',
  'server:read': 'See the state of the server',
  'support:act': 'Act as users',
  'notice:read': 'Read notices through agents',
  'notice:write': 'Post notices',
}

/** A permission that a running server has declared may be missing above: it is shown by its name alone. */
export function permissionWords(name: string): string | undefined {
  return Object.hasOwn(wordsOfPermissions, name)
    ? wordsOfPermissions[name as PermissionName]
    : undefined
}

/** Whether a user has the permission. A misspelled name does not compile. */
export function may({ permissions }: Pick<AuthSession, 'permissions'>, name: PermissionName) {
  return permissions.includes(name)
}

/** Whether a user may look after roles. */
export function isSuperadmin({ roles }: Pick<AuthSession, 'roles'>) {
  return roles.some(({ name }) => name === 'superadmin')
}

/** Whether a user may see a part of the console. */
export function seesConsole(session: Pick<AuthSession, 'permissions'>) {
  const parts: PermissionName[] = [
    'user:read',
    'audit:read',
    'stream:read',
    'job:read',
    'server:read',
  ]
  return parts.some((name) => may(session, name))
}
