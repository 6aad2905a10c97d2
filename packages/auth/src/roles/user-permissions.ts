import { runningAuth } from '../auth.ts'
import { readAccount } from '../authenticate/read-account.ts'
import { callerFrom } from '../caller/caller-from.ts'

// What an account may do is asked of the database every time. One that is unknown or not active may do nothing.

/** The role of an account, whatever its status; null for nobody. */
export async function getUserRole(userId: string): Promise<string | null> {
  return (await accountOf(userId))?.role ?? null
}

/** What an account may do now. */
export async function getUserPermissions(userId: string): Promise<string[]> {
  return (await activeAccount(userId))?.permissions ?? []
}

/**
 * What may be done with a key now, which is less than what its account may where it is a machine's: for whoever is told
 * a key and no request, as `authorize` of streams is.
 */
export async function getKeyPermissions(keyId: string): Promise<string[]> {
  const { callers, clock } = runningAuth()
  const row = await callers(keyId)
  const isLive = row?.state === 'active' && row.keyExpiresAt > clock.now()
  return isLive && row.status === 'active' ? [...callerFrom(row).permissions] : []
}

export async function hasPermission(userId: string, permission: string): Promise<boolean> {
  return hasAllPermissions(userId, [permission])
}

/** Whether it holds at least one of them. */
export async function hasAnyPermission(
  userId: string,
  permissions: readonly string[],
): Promise<boolean> {
  const account = await activeAccount(userId)
  return permissions.some((name) => account?.permissions.includes(name))
}

/** Whether it holds every one of them. */
export async function hasAllPermissions(
  userId: string,
  permissions: readonly string[],
): Promise<boolean> {
  const account = await activeAccount(userId)
  return account !== null && permissions.every((name) => account.permissions.includes(name))
}

export async function hasRole(userId: string, role: string): Promise<boolean> {
  return hasAnyRole(userId, [role])
}

export async function hasAnyRole(userId: string, roleNames: readonly string[]): Promise<boolean> {
  const account = await activeAccount(userId)
  return account !== null && roleNames.includes(account.role)
}

async function activeAccount(userId: string) {
  const account = await accountOf(userId)
  return account?.status === 'active' && account.roleIsActive ? account : null
}

function accountOf(userId: string) {
  return readAccount(runningAuth().db, userId)
}
