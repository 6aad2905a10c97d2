import type { Tx } from '@svc/core'
import { and, eq, gt, isNull, notExists, sql } from 'drizzle-orm'
import { type LockedAccount, lockAccount } from '../../accounts/accounts.ts'
import { recordAudit } from '../../audit/audit.ts'
import { mustChangePassword } from '../../authenticate/authenticate.ts'
import type { Author } from '../../caller/caller.ts'
import { inTransaction } from '../../in-transaction.ts'
import { findOwnKey } from '../../keys/keys.ts'
import {
  type AgentService,
  holdClient,
  type OAuth2Client,
  placeOfCode,
} from '../clients/clients.ts'
import type { TokenAnswer } from '../contract.ts'
import { OAuth2Error } from '../errors.ts'
import { endLockedGrant } from './end-grant.ts'
import { newAccessToken } from './new-access-token.ts'
import { oauth2Grants, oauth2Tokens } from './schema.ts'
import {
  countGrants,
  findSame,
  type GrantRow,
  grantsOfIssuers,
  insertActive,
  mostGrants,
  prolongGrant,
} from './store.ts'
import { announceGrant, mailOfGrant } from './tell-of-grant.ts'
import { refreshMillis, type TokenRequest } from './token-request.ts'
import { insertTokens } from './token-store.ts'

/** With each key, and each set of scopes, for each resource, a client has a grant of its own. */
const mostOfClient = 100

/** What an identity provider has allowed a client. */
interface Asserted {
  readonly issuer: string
  /** The account that is linked with the user who is meant. */
  readonly userId: string
  /** By which link. */
  readonly elsewhere: { readonly provider: string; readonly providerUserId: string }
  readonly resource: string
  readonly scopes: string[]
}

/**
 * Issues an access token for what an identity provider has allowed, and no refresh token: the next one takes another
 * assertion. Null if the account may not act, or is not linked with that user any more.
 */
export function giveAsserted(auth: AgentService, request: TokenRequest, asserted: Asserted) {
  return inTransaction(auth.db, (tx) => issue(tx, auth, { ...asserted, ...request }))
}

type Given = Asserted & TokenRequest

async function issue(tx: Tx, auth: AgentService, given: Given): Promise<TokenAnswer | null> {
  const { userId, elsewhere, client, key, scopes } = given
  // Each end of a grant, and of a link, locks the account first.
  const account = await lockAccount(tx, userId)
  if (account?.status !== 'active' || mustChangePassword(auth, account)) return null
  if ((await auth.parts.linked(tx, elsewhere)) !== userId) return null
  const now = auth.clock.now()
  // A device of the account is no key of a client, and its end would end nothing here.
  if (key && (await findOwnKey(tx, { ...key, userId, now }))) {
    throw new OAuth2Error({ error: 'invalid_dpop_proof' })
  }
  if (!(await holdClient(tx, client.clientId))) throw forgotten()
  const grant = await grantFor(tx, auth, { ...given, account, now })
  // The list has it for as long as another agent that was not used: its next token can come at any time.
  const expiresAt = new Date(now.getTime() + refreshMillis)
  await prolongGrant(tx, grant.grantId, { now, expiresAt })
  const issued = await newAccessToken(tx, auth, { grant, scopes, now })
  await insertTokens(tx, [issued.row])
  return issued.answer
}

type Granting = Given & { account: LockedAccount; now: Date }

/** One for all tokens of the same kind: a user sees an agent once, however often it asks. */
async function grantFor(tx: Tx, auth: AgentService, granting: Granting): Promise<GrantRow> {
  const { account, issuer, client, key, resource, scopes, now, origin } = granting
  const { userId, generation } = account
  const { clientId } = client
  const keyThumbprint = key?.thumbprint ?? null
  const same = { userId, generation, clientId, resource, scopes, keyThumbprint, issuer }
  const found = await findSame(tx, { ...same, ancestors: null })
  if (found) return found
  const others = await replaceUnused(tx, { userId, generation, clientId, issuer, now })
  // A client that makes a key for each request must not use up the room of all others.
  if (others.left >= mostOfClient) throw noRoom()
  if ((await countGrants(tx, { userId, generation, now }, 'asserted')) >= mostGrants) throw noRoom()
  const grant = await insertActive(tx, {
    ...same,
    ancestors: null,
    actors: null,
    tenant: null,
    keyId: null,
    redirectUri: placeOf(client),
    now,
  })
  const { grantId } = grant
  const details = { clientId, grantId, issuer, scopes, resource }
  const entry = { actor: userId, target: clientId, details, origin, at: now }
  await recordAudit(tx, { act: 'oauth2.asserted', ...entry })
  await announceGrant({ grant, client })
  // Once for each agent, and not for each key that it has made itself.
  if (others.before === 0) await mailOfGrant(tx, auth, { grant, client, now })
  return grant
}

/** Users recognise a client by the host of its document, or by where its other answers would go. */
const placeOf = (client: OAuth2Client) =>
  (client.source === 'document' ? undefined : client.redirectUris[0]) ?? placeOfCode(client)

interface Replacing extends Pick<LockedAccount, 'userId' | 'generation'> {
  readonly clientId: string
  readonly issuer: string
  readonly now: Date
}

/**
 * Deletes the other grants of the same client that have no valid token: it may make a new key at each start. Returns how many
 * there were, and how many are left.
 */
async function replaceUnused(tx: Tx, { userId, generation, clientId, issuer, now }: Replacing) {
  const grants = oauth2Grants
  const others = and(
    eq(grants.userId, userId),
    eq(grants.generation, generation),
    eq(grants.clientId, clientId),
    eq(grants.issuer, issuer),
    isNull(grants.ancestors),
    eq(grants.state, 'active'),
  )
  const before = await tx.$count(grants, others)
  if (before === 0) return { before, left: 0 }
  const valid = tx
    .select({ one: sql`1` })
    .from(oauth2Tokens)
    .where(and(eq(oauth2Tokens.grantId, grants.grantId), gt(oauth2Tokens.expiresAt, now)))
  const { rowCount } = await tx.delete(grants).where(and(others, notExists(valid)))
  return { before, left: before - (rowCount ?? 0) }
}

interface Unlinking extends Author {
  readonly userId: string
  readonly now: Date
}

/**
 * Ends what identity providers have allowed for an account that is locked, after a link of it has ended. Where another
 * link remains, its provider can allow it again.
 */
export async function endAssertedGrants(tx: Tx, { userId, ...ending }: Unlinking) {
  for (const grantId of await grantsOfIssuers(tx, userId)) {
    await endLockedGrant(tx, { grant: { grantId, userId }, reason: 'unlinked', ...ending })
  }
}

const forgotten = () =>
  new OAuth2Error({ error: 'temporarily_unavailable', message: 'Send another assertion.' })

const noRoom = () =>
  new OAuth2Error({
    error: 'invalid_request',
    message: 'Too many agents, or keys of this one, have access to this account at present.',
  })
