import type { Db } from '@svc/core'
import { socialAccountsOf } from './store.ts'

/** The accounts elsewhere, without what their providers have given. */
export async function exportSocialAccounts(db: Db, userId: string) {
  const accounts = await socialAccountsOf(db, userId)
  return accounts.map(({ provider, providerUserId, linkedAt, lastUsedAt }) => ({
    provider,
    providerUserId,
    linkedAt,
    lastUsedAt,
  }))
}
