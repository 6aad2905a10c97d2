import {
  highestFirst,
  namesOf,
  readUserPage,
  type UserQuery,
  type UserRow,
} from '../accounts/accounts.ts'
import type { Needs } from '../auth.ts'
import type { UserItem } from './user-details.ts'

/** A page of `listUsers`. */
export interface UserPage {
  users: UserItem[]
  /** The `after` of the next page. */
  next?: string
}

export async function findUsers({ db }: Needs<'db'>, query: UserQuery): Promise<UserPage> {
  const { items, ...next } = await readUserPage(db, query)
  return { users: items.map(userItem), ...next }
}

export function userItem(row: UserRow): UserItem {
  const { userId, publicId, email, phone, username, displayName, held, status } = row
  const roles = namesOf(held)
  return {
    userId,
    publicId,
    ...(email !== null && { email }),
    ...(row.emailVerifiedAt && { emailVerifiedAt: row.emailVerifiedAt.toISOString() }),
    ...(phone !== null && { phone }),
    ...(row.phoneVerifiedAt && { phoneVerifiedAt: row.phoneVerifiedAt.toISOString() }),
    ...(username !== null && { username }),
    ...(displayName !== null && { displayName }),
    role: roles[0],
    roles,
    roleNames: held.toSorted(highestFirst).map((each) => each.displayName),
    status,
    hasSecondFactor: row.secondFactorSince !== null,
    createdAt: row.createdAt.toISOString(),
    ...(row.lastLoginAt && { lastLoginAt: row.lastLoginAt.toISOString() }),
  }
}
