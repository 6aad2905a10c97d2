import type { Db, Tx } from '@svc/core'
import { and, eq, isNotNull, ne } from 'drizzle-orm'
import type { Succession } from '../keys/made-keys.ts'
import { clientsById } from '../oauth2-clients/clients-by-id.ts'
import { oauth2Grants } from './schema.ts'
import { type GrantOwner, stands } from './store.ts'

/** What an account has allowed to agents, by which of its keys: also while the code is on its way to the client. */
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

/** What a key has agreed to was agreed to by its successor from here on. */
export async function handOnGrants(tx: Tx, { userId, from, to }: Succession) {
  await tx
    .update(oauth2Grants)
    .set({ madeByKeyId: to })
    .where(and(eq(oauth2Grants.userId, userId), eq(oauth2Grants.madeByKeyId, from)))
}
