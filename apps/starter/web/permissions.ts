import type { AuthSession } from '@svc/auth'
import type { PermissionName } from '@svc/auth/server'

/** The permissions that api/server.ts and its capabilities declare. If one is missing here, routes that ask for it do not compile. */
declare module '@svc/auth/server' {
  interface AppPermissions {
    names: 'notice:read' | 'notice:write' | 'organization:read' | 'organization:manage'
  }
}

/** Whether a user has the permission. A misspelled name does not compile. */
export function may({ permissions }: Pick<AuthSession, 'permissions'>, name: PermissionName) {
  return permissions.includes(name)
}

/** Whether a user may see a part of the console. */
export function seesConsole(session: Pick<AuthSession, 'permissions'>) {
  const parts: PermissionName[] = [
    'user:read',
    'audit:read',
    'stream:read',
    'job:read',
    'server:read',
    'organization:read',
  ]
  return parts.some((name) => may(session, name))
}
