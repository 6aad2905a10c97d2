import type { ServerDefinition } from '@svc/core'
import { callNamed } from './call/call.ts'
import { CommandFailure } from './failure.ts'
import type { Flags } from './flags.ts'

/** An account, as `listUsers` and `readUser` have it. */
export interface User {
  userId: string
  publicId: string
  email?: string
  phone?: string
  username?: string
  displayName?: string
  role: string
  roles: string[]
  status: string
  createdAt: string
  lastLoginAt?: string
}

interface UserPage {
  users: User[]
  next?: string
}

export async function readUsers(
  definition: ServerDefinition,
  flags: Flags,
  query: Record<string, unknown>,
) {
  const answer = await callNamed(definition, { flags, name: 'listUsers', input: { query } })
  return answer as UserPage
}

/** The user of an id, or of a whole address. */
export async function findUser(
  definition: ServerDefinition,
  flags: Flags,
  wanted: string,
): Promise<User> {
  // Longer addresses begin with it too.
  const query = wanted.includes('@') ? { email: wanted, limit: 100 } : { id: wanted }
  const { users } = await readUsers(definition, flags, query)
  const [user] = wanted.includes('@')
    ? users.filter(({ email }) => email?.toLowerCase() === wanted.toLowerCase())
    : users
  if (user) return user
  throw new CommandFailure(
    `There is no user "${wanted}". "svc users list" finds them by a part of their address or name.`,
  )
}
