import { readNames } from '@svc/auth/server'
import type { Db } from '@svc/core'

type Names = Awaited<ReturnType<typeof readNames>>

/** What members see an account called; empty if it has no name, or none any more. */
export function nameIn(names: Names, userId: string | null | undefined) {
  const found = names.get(userId ?? '')
  return found?.displayName ?? found?.email ?? ''
}

/** The same of one account. */
export async function nameOf(db: Db, userId: string | null | undefined) {
  return userId ? nameIn(await readNames(db, [userId]), userId) : ''
}
