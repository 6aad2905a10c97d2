import { readUserRow } from '../accounts/accounts.ts'
import { UserNotFoundError } from '../accounts/errors.ts'
import type { Needs } from '../auth.ts'
import { listKeys } from '../keys/keys.ts'
import type { UserDetails } from './contract.ts'
import { userItem } from './find-users.ts'

type ReadNeeds = Needs<'db' | 'clock' | 'parts'>

/** Null for an account that is unknown, or gone. */
export async function findUser(auth: ReadNeeds, userId: string): Promise<UserDetails | null> {
  const row = await readUserRow(auth.db, userId)
  if (!row) return null
  const { item, generation, firstName, lastName, purgeAt, ...details } = row
  const { keys } = await listKeys(auth, { userId: item.userId, generation })
  return {
    ...userItem(item),
    ...details,
    ...(firstName !== null && { firstName }),
    ...(lastName !== null && { lastName }),
    ...(purgeAt && { purgeAt: purgeAt.toISOString() }),
    factors: item.secondFactorSince ? await auth.parts.secondFactors(auth.db, item.userId) : [],
    devices: keys,
  }
}

export async function readUser(auth: ReadNeeds, userId: string) {
  const found = await findUser(auth, userId)
  if (!found) throw new UserNotFoundError()
  return found
}
