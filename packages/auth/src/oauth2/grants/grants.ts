import { type Db, NotFoundError, type Tx } from '@svc/core'
import { and, eq, isNotNull, ne } from 'drizzle-orm'
import type { Caller, RequestOrigin } from '../../caller/caller.ts'
import type { Made, MadeEnd, Owner, Succession } from '../../capability/capability.ts'
import { inTransaction } from '../../in-transaction.ts'
import { lockCaller } from '../../keys/keys.ts'
import { isUuid } from '../../pg-schema.ts'
import { authorizationServerOf } from '../authorization-server.ts'
import {
  type AgentService,
  clientsById,
  type OAuth2Client,
  redirectHost,
} from '../clients/clients.ts'
import type { Grant } from '../contract.ts'
import { endLockedGrant } from './end-grant.ts'
import { oauth2Grants } from './schema.ts'
import { inWords } from './scopes.ts'
import { everyGrantOf, type GrantRow, grantsOf, stands } from './store.ts'

export { type AccessToken, accessOf, isOver, liveHolder } from './access.ts'
export { endAssertedGrants, giveAsserted } from './asserted.ts'
export { answerAddress, type Destination, readDestination } from './authorization-request.ts'
export { decide, describeRequest } from './authorize.ts'
export { claimsOf, inSeconds } from './claims.ts'
export { delegate } from './delegate.ts'
export { describeGrant } from './describe-grant.ts'
export { endGrantsOf, endLockedGrant, forgetGrants, forgetGrantsOf } from './end-grant.ts'
export { findHeldToken, type HeldToken } from './held-token.ts'
export { invalidGrant } from './invalid-grant.ts'
export { readAgentPage } from './list-agents.ts'
export { consenting, offerGrant, ownersFor } from './offer.ts'
export { type Asked, consentPage, isBrowser, passOn, refusalOf, shownPage } from './pass-on.ts'
export { refresh } from './refresh.ts'
export { oauth2Grants, oauth2Tokens } from './schema.ts'
export {
  askedOf,
  invalidScope,
  inWords,
  narrowed,
  resourceNamed,
  scopesNamed,
  stillGiven,
} from './scopes.ts'
export { agentsOfServices, type ServiceAgent } from './service-agents.ts'
export {
  accountsOfOverGrants,
  findActiveGrant,
  findGrant,
  type GrantRow,
  noteUse,
} from './store.ts'
export { keptSuccessors } from './successors.ts'
export {
  checkKey,
  checkResource,
  issuedAt,
  type TokenRequest,
} from './token-request.ts'
export { type FoundToken, findAccessToken } from './token-store.ts'
export { isVerifierOf, redeemCode, redeemOffer, revokeToken } from './tokens.ts'

export async function listGrants(auth: AgentService, { userId, generation }: Caller) {
  const { db, clock } = auth
  const rows = await grantsOf(db, { userId, generation, now: clock.now() })
  const clients = await clientsById(
    db,
    rows.map(({ clientId }) => clientId),
  )
  return { grants: rows.map((row) => item(auth, row, clients.get(row.clientId))) }
}

function item(auth: AgentService, grant: GrantRow, client: OAuth2Client | undefined): Grant {
  return {
    grantId: grant.grantId,
    ...(grant.ancestors?.[0] && { parentId: grant.ancestors[0] }),
    ...(grant.issuer !== null && grant.ancestors === null && { issuer: grant.issuer }),
    clientId: grant.clientId,
    clientName: client?.name ?? grant.clientId,
    ...(client?.uri && { clientUri: client.uri }),
    redirectHost: redirectHost(grant.redirectUri),
    scopes: inWords(authorizationServerOf(auth), grant.scopes),
    resource: grant.resource,
    ...(grant.keyId && { keyId: grant.keyId }),
    createdAtMillis: grant.createdAt.getTime(),
    ...(grant.lastUsedAt && { lastUsedAtMillis: grant.lastUsedAt.getTime() }),
    expiresAtMillis: grant.expiresAt.getTime(),
  }
}

/** The same for administrators, even if there is no authorization server any more. */
export async function agentsOf(db: Db, owner: Owner) {
  const rows = await grantsOf(db, owner)
  const clients = await clientsById(
    db,
    rows.map(({ clientId }) => clientId),
  )
  return rows.map(({ grantId, clientId, scopes, resource, ...grant }) => ({
    grantId,
    clientId,
    clientName: clients.get(clientId)?.name ?? clientId,
    scopes,
    resource,
    createdAtMillis: grant.createdAt.getTime(),
    ...(grant.lastUsedAt && { lastUsedAtMillis: grant.lastUsedAt.getTime() }),
    expiresAtMillis: grant.expiresAt.getTime(),
  }))
}

interface Revocation {
  caller: Caller
  grantId: string
  origin: RequestOrigin
}

/** Revokes a grant. The response is the same if it had ended, was another's or never existed. */
export async function revokeGrant(
  { db, clock }: AgentService,
  { caller, grantId, origin }: Revocation,
) {
  const { userId } = caller
  const isEnded =
    isUuid(grantId) &&
    (await inTransaction(db, async (tx) => {
      await lockCaller(tx, caller)
      const grant = { grantId, userId }
      return endLockedGrant(tx, { grant, reason: 'owner', actor: userId, origin, now: clock.now() })
    }))
  if (!isEnded) throw new NotFoundError({ resource: 'grant' })
  return { grantId }
}

/**
 * The grants of an account to agents, with the key that allowed each. It includes those whose code
 * is not redeemed yet.
 */
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

/**
 * Ends what a revoked key has allowed. The account is locked: operations that let something in take
 * the same lock.
 */
export async function endMadeGrants(tx: Tx, { userId, ids, actor = userId, origin, now }: MadeEnd) {
  const ended: string[] = []
  // Another capability's ids may have any form.
  for (const grantId of ids.filter(isUuid)) {
    const end = { reason: 'device_revoked' as const, actor, origin, now }
    if (await endLockedGrant(tx, { grant: { grantId, userId }, ...end })) ended.push(grantId)
  }
  return ended
}

/** Passes the grants that a key has allowed to its successor. */
export async function handOnGrants(tx: Tx, { userId, from, to }: Succession) {
  await tx
    .update(oauth2Grants)
    .set({ madeByKeyId: to })
    .where(and(eq(oauth2Grants.userId, userId), eq(oauth2Grants.madeByKeyId, from)))
}

// Members are named one by one: a secret that the table gets later is not exported by itself.

/** What an account has allowed agents of other parties. */
export async function exportGrants(db: Db, userId: string) {
  const rows = await everyGrantOf(db, userId)
  return rows.map((grant) => ({
    clientId: grant.clientId,
    actors: grant.actors,
    issuer: grant.issuer,
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
