import type { Db } from '@svc/core'
import { eq, inArray, or } from 'drizzle-orm'
import { isUuid } from '../pg-schema.ts'
import type { AccountLabel } from './fields.ts'
import { accountName } from './identifier.ts'
import { profiles, users } from './schema.ts'

/**
 * By what operators tell accounts apart, in one statement for a page of ids. An id of anything else is left out, and so
 * is an account that left no row.
 */
export async function labelsOf(db: Db, ids: Iterable<string | null | undefined>) {
  const known = new Set<string>()
  for (const id of ids) if (id && isUuid(id)) known.add(id.toLowerCase())
  if (known.size === 0) return new Map<string, AccountLabel>()
  const { userId, publicId, email, phone, username, status } = users
  const { displayName } = profiles
  const rows = await db
    .select({ userId, publicId, email, phone, username, status, displayName })
    .from(users)
    .leftJoin(profiles, eq(profiles.userId, userId))
    .where(inArray(userId, [...known]))
  return new Map(
    rows.map((row) => [
      row.userId,
      row.status === 'deleted' ? goneAccount(row.userId) : labelOf(row),
    ]),
  )
}

type Named = Parameters<typeof accountName>[0] & { userId: string; displayName: string | null }

const labelOf = ({ userId, displayName, ...named }: Named): AccountLabel => ({
  userId,
  name: accountName(named),
  ...(displayName !== null && { displayName }),
  isDeleted: false,
})

/** Of one that is deleted, its id alone is left. */
export const goneAccount = (userId: string): AccountLabel => ({ userId, isDeleted: true })

/** The account that an operator names by its id, address, number or username. Null if there is none. */
export async function findNamed(db: Db, given: string): Promise<string | null> {
  if (isUuid(given)) return given
  const text = given.trim().normalize('NFKC').toLowerCase()
  const { userId, email, phone, username } = users
  const [found] = await db
    .select({ userId })
    .from(users)
    .where(or(eq(email, text), eq(phone, text.replaceAll(/[\s().-]/g, '')), eq(username, text)))
  return found?.userId ?? null
}
