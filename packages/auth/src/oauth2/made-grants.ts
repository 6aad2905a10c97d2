import type { Db, Tx } from '@svc/core'
import { and, eq, isNotNull, ne } from 'drizzle-orm'
import type { Made, MadeEnd, Owner, Succession } from '../capability/account-parts.ts'
import { clientsById } from '../oauth2-clients/clients-by-id.ts'
import { isUuid } from '../pg-schema.ts'
import { endLockedGrant } from './end-grant.ts'
import { oauth2Grants } from './schema.ts'
import { stands } from './store.ts'

/** The grants of an account to agents, with the key that allowed each: also those whose code is not redeemed yet. */
export async function madeGrantsOf(db: Db, owner: Owner): Promise<Made[]> {
  const { grantId, madeByKeyId, clientId } = oauth2Grants
  const grants = await db
    .select({ grantId, madeByKeyId, clientId })
    .from(oauth2Grants)
    .where(and(stands(owner), ne(oauth2Grants.state, 'revoked'), isNotNull(madeByKeyId)))
    .orderBy(oauth2Grants.createdAt, grantId)
  const clients = await clientsById(db, [...new Set(grants.map((grant) => grant.clientId))])
  return grants.map(({ grantId: id, madeByKeyId: maker, ...grant }) => {
    const name = clients.get(grant.clientId)?.name ?? grant.clientId
    return { item: { kind: 'agent', id, name }, maker, isPending: false }
  })
}

/** Ends what a revoked key has allowed. The account is locked: operations that let something in take the same lock. */
export async function endMadeGrants(tx: Tx, { userId, ids, origin, now }: MadeEnd) {
  const ended: string[] = []
  // What another capability has let in may have an id of any form.
  for (const grantId of ids.filter(isUuid)) {
    const end = { reason: 'device_revoked' as const, actor: userId, origin, now }
    if (await endLockedGrant(tx, { grant: { grantId, userId }, ...end })) ended.push(grantId)
  }
  return ended
}

/** Moves the grants that a key has allowed to its successor. */
export async function handOnGrants(tx: Tx, { userId, from, to }: Succession) {
  await tx
    .update(oauth2Grants)
    .set({ madeByKeyId: to })
    .where(and(eq(oauth2Grants.userId, userId), eq(oauth2Grants.madeByKeyId, from)))
}
