import type { Tx } from '@svc/core'
import { lockAccount } from '../../accounts/accounts.ts'
import { recordAudit } from '../../audit/audit.ts'
import { inTransaction } from '../../in-transaction.ts'
import { findOwnKey } from '../../keys/keys.ts'
import { type AgentService, holdClient } from '../clients/clients.ts'
import type { TokenAnswer } from '../contract.ts'
import { OAuth2Error } from '../errors.ts'
import type { HeldToken } from './held-token.ts'
import { newAccessToken } from './new-access-token.ts'
import { countGrants, findSame, insertActive, mostGrants, prolongGrant, standing } from './store.ts'
import type { TokenRequest } from './token-request.ts'
import { insertTokens } from './token-store.ts'

interface Delegation {
  /** The token that is exchanged, with its grant. */
  readonly subject: HeldToken
  readonly resource: string
  readonly scopes: string[]
}

/**
 * Issues a token of a grant below that of the exchanged token, and no refresh token. It expires with the exchanged one.
 * Null if that is over by now.
 */
export function delegate(auth: AgentService, request: TokenRequest, delegation: Delegation) {
  return inTransaction(auth.db, (tx) => issueBelow(tx, auth, { ...delegation, ...request }))
}

async function issueBelow(
  tx: Tx,
  auth: AgentService,
  given: Delegation & TokenRequest,
): Promise<Omit<TokenAnswer, 'issued_token_type'> | null> {
  const { subject, client, key, scopes } = given
  const { userId, generation, grantId, ancestors } = subject.grant
  // Each end of a grant locks the account first: it ends this one too, or has ended the others by now.
  const account = await lockAccount(tx, userId)
  if (account?.generation !== generation || account.status !== 'active') return null
  const now = auth.clock.now()
  const { expiresAt } = subject.token
  const line = [grantId, ...(ancestors ?? [])]
  if (expiresAt <= now || !(await standing(tx, line))) return null
  // A device of the account is no key of a client, and its end would end nothing here.
  if (key && (await findOwnKey(tx, { ...key, userId, now }))) {
    throw new OAuth2Error({ error: 'invalid_dpop_proof' })
  }
  if (!(await holdClient(tx, client.clientId))) throw forgotten()
  const grant = await grantBelow(tx, { ...given, line, now })
  const issued = await newAccessToken(tx, auth, { grant, scopes, now, notAfter: expiresAt })
  await prolongGrant(tx, grant.grantId, { now, expiresAt: issued.row.expiresAt })
  await insertTokens(tx, [issued.row])
  return issued.answer
}

interface Below extends Delegation, TokenRequest {
  /** The grant of the exchanged token, and those above it. */
  readonly line: string[]
  readonly now: Date
}

/** One for all tokens of the same kind: a user sees a service once, however often it asks. */
async function grantBelow(tx: Tx, below: Below): Promise<HeldToken['grant']> {
  const { subject, client, key, resource, scopes, line, now, origin } = below
  const {
    userId,
    generation,
    clientId: parentClient,
    actors,
    tenant,
    keyId,
    issuer,
  } = subject.grant
  const { clientId } = client
  const same = {
    userId,
    generation,
    clientId,
    resource,
    scopes,
    keyThumbprint: key?.thumbprint ?? null,
    ancestors: line,
    issuer,
  }
  const found = await findSame(tx, same)
  if (found) return found
  if ((await countGrants(tx, { userId, generation, now }, 'exchanged')) >= mostGrants)
    throw noRoom()
  const chain = [clientId, ...(actors ?? [parentClient])]
  const grant = await insertActive(tx, {
    ...same,
    actors: chain,
    tenant,
    // Once the device is signed out that the exchanged token is bound to, this one is void as well.
    keyId,
    // It has no code and no redirect. Users recognise the client by the host of its document.
    redirectUri: clientId,
    now,
  })
  const { grantId } = grant
  const details = { clientId, grantId, parentId: line[0], actors: chain, scopes, resource }
  const entry = { actor: userId, target: clientId, details, origin, at: now }
  await recordAudit(tx, { act: 'oauth2.exchanged', ...entry })
  return grant
}

const forgotten = () =>
  new OAuth2Error({ error: 'temporarily_unavailable', message: 'Send the request again.' })

const noRoom = () =>
  new OAuth2Error({
    error: 'invalid_request',
    message: 'Too many tokens of this account are exchanged at present.',
  })
