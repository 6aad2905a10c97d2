import type { Tx } from '@svc/core'
import { and, eq, inArray } from 'drizzle-orm'
import { socialAccounts } from './schema.ts'

/** How many of these providers sign in to an account. */
export function countLinked(tx: Tx, userId: string, providers: readonly string[]) {
  const known = inArray(socialAccounts.provider, [...providers])
  return tx.$count(socialAccounts, and(eq(socialAccounts.userId, userId), known))
}
