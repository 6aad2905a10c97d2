import type { Db, Tx } from '@svc/core'
import { and, eq, isNotNull, ne } from 'drizzle-orm'
import type { Succession } from '../keys/made-keys.ts'
import { oauth2Clients } from '../oauth2-clients/schema.ts'
import { oauth2Grants } from './schema.ts'
import { type GrantOwner, stands } from './store.ts'

/** What an account has allowed to agents, by which of its keys: also while the code is on its way to the client. */
export function madeGrantsOf(db: Db, owner: GrantOwner) {
  const { grantId, madeByKeyId } = oauth2Grants
  return db
    .select({ grantId, madeByKeyId, clientName: oauth2Clients.name })
    .from(oauth2Grants)
    .innerJoin(oauth2Clients, eq(oauth2Clients.clientId, oauth2Grants.clientId))
    .where(and(stands(owner), ne(oauth2Grants.state, 'revoked'), isNotNull(madeByKeyId)))
    .orderBy(oauth2Grants.createdAt, grantId)
}

/** What a key has agreed to was agreed to by its successor from here on. */
export async function handOnGrants(tx: Tx, { userId, from, to }: Succession) {
  await tx
    .update(oauth2Grants)
    .set({ madeByKeyId: to })
    .where(and(eq(oauth2Grants.userId, userId), eq(oauth2Grants.madeByKeyId, from)))
}
