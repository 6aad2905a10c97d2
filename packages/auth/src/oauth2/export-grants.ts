import type { Db } from '@svc/core'
import { everyGrantOf } from './store.ts'

// Members are named one by one: a secret that the table gets later is not exported by itself.

/** What an account has allowed to programs of others. */
export async function exportGrants(db: Db, userId: string) {
  const rows = await everyGrantOf(db, userId)
  return rows.map((grant) => ({
    clientId: grant.clientId,
    state: grant.state,
    scopes: grant.scopes,
    resource: grant.resource,
    keyId: grant.keyId,
    madeByKeyId: grant.madeByKeyId,
    createdAt: grant.createdAt,
    startedAt: grant.startedAt,
    lastUsedAt: grant.lastUsedAt,
    expiresAt: grant.expiresAt,
    revokedAt: grant.revokedAt,
    revokedReason: grant.revokedReason,
  }))
}
