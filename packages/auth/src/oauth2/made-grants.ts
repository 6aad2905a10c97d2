import type { Db, Tx } from '@svc/core'
import { and, eq, isNotNull, ne } from 'drizzle-orm'
import type { Succession } from '../keys/made-keys.ts'
import { clientsById } from '../oauth2-clients/clients-by-id.ts'
import { oauth2Grants } from './schema.ts'
import { type GrantOwner, stands } from './store.ts'

/** The grants of an account to agents, with the key that allowed each: also those whose code is not redeemed yet. */
export async function madeGrantsOf(db: Db, owner: GrantOwner) {
  const { grantId, madeByKeyId, clientId } = oauth2Grants
  const grants = await db
    .select({ grantId, madeByKeyId, clientId })
    .from(oauth2Grants)
    .where(and(stands(owner), ne(oauth2Grants.state, 'revoked'), isNotNull(madeByKeyId)))
    .orderBy(oauth2Grants.createdAt, grantId)
  const clients = await clientsById(db, [...new Set(grants.map((grant) => grant.clientId))])
  return grants.map((grant) => {
    const clientName = clients.get(grant.clientId)?.name ?? grant.clientId
    return { ...grant, clientName }
  })
}

/** Moves the grants that a key has allowed to its successor. */
export async function handOnGrants(tx: Tx, { userId, from, to }: Succession) {
  await tx
    .update(oauth2Grants)
    .set({ madeByKeyId: to })
    .where(and(eq(oauth2Grants.userId, userId), eq(oauth2Grants.madeByKeyId, from)))
}
