import {
  namesOf,
  selectUsers,
  type UserQuery,
  type UserRow,
  writeCursor,
} from '../accounts/accounts.ts'
import type { Needs } from '../auth.ts'
import type { UserItem } from './user-details.ts'

export interface UserPage {
  users: UserItem[]
  /** The `after` of the next page. */
  next?: string
}

/** One row more than a page has tells whether there is a further page. */
export async function findUsers({ db }: Needs<'db'>, query: UserQuery): Promise<UserPage> {
  const { limit = 20 } = query
  const rows = await selectUsers(db, { ...query, limit: limit + 1 })
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    users: page.map(userItem),
    ...(last && { next: writeCursor(last) }),
  }
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
    status,
    hasSecondFactor: row.secondFactorSince !== null,
    createdAt: row.createdAt.toISOString(),
    ...(row.lastLoginAt && { lastLoginAt: row.lastLoginAt.toISOString() }),
  }
}
