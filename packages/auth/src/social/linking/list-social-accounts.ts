import type { Db } from '@svc/core'
import { socialAccountsOf } from '../accounts/store.ts'

export async function listSocialAccounts(db: Db, userId: string) {
  const accounts = await socialAccountsOf(db, userId)
  return {
    accounts: accounts.map(({ provider, linkedAt, lastUsedAt }) => ({
      provider,
      linkedAtMillis: linkedAt.getTime(),
      ...(lastUsedAt && { lastUsedAtMillis: lastUsedAt.getTime() }),
    })),
  }
}
