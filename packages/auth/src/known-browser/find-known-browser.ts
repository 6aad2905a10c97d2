import { findAccount } from '../accounts/find-account.ts'
import type { Identifier } from '../accounts/identifier.ts'
import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import { findKnownId } from '../keys/known-id.ts'
import { readKnownBrowsers } from './token.ts'

interface Asked {
  identifier: Identifier
  origin: RequestOrigin
}

/**
 * The id by which the account of an address or number knows the caller; null for a stranger. Only a token that we have
 * issued leads to a query, and only about its own account, so the response time says nothing about other accounts.
 */
export async function findKnownBrowser(
  auth: Needs<'db' | 'env' | 'clock'>,
  { identifier, origin }: Asked,
) {
  const shown = readKnownBrowsers(auth, origin.knownBrowser)
  if (shown.length === 0) return null
  const account = await findAccount(auth.db, identifier)
  const own = shown.filter(({ userId }) => userId === account?.userId)
  if (!account || own.length === 0) return null
  const knownIds = own.map(({ knownId }) => knownId)
  return findKnownId(auth.db, { userId: account.userId, knownIds })
}
