import type { UserQuery } from '../accounts/accounts.ts'
import { runningAuth } from '../auth.ts'
import type { UserDetails } from './contract.ts'
import { findUsers, type UserPage } from './find-users.ts'
import * as details from './read-user.ts'

export type { UserQuery } from '../accounts/accounts.ts'
export type { UserDetails, UserItem } from './contract.ts'
export type { UserPage } from './find-users.ts'

/** The accounts for which all of this is so, from an application's own code. */
export async function listUsers(query: UserQuery = {}): Promise<UserPage> {
  return findUsers(runningAuth(), query)
}

/** An account with its factors and devices, from an application's own code; null for one that is unknown, or gone. */
export async function findUser(userId: string): Promise<UserDetails | null> {
  return details.findUser(runningAuth(), userId)
}
