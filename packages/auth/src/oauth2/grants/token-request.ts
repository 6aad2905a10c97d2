import type { RawContext, Tx } from '@svc/core'
import type { RequestOrigin } from '../../caller/caller.ts'
import { hashToken, newToken } from '../../crypto/crypto.ts'
import { authorizationServerOf } from '../authorization-server.ts'
import type { AgentNeeds, AgentService, OAuth2Client } from '../clients/clients.ts'
import type { TokenAnswer, TokenForm } from '../contract.ts'
import type { DpopKey } from '../dpop/dpop.ts'
import { OAuth2Error } from '../errors.ts'
import { endGrant, type GrantEnd } from './end-grant.ts'
import { accessMillis, newAccessToken } from './new-access-token.ts'
import { resourceNamed } from './scopes.ts'
import { type GrantRow } from './store.ts'
import { insertTokens } from './token-store.ts'

/** A request for tokens, from a client that has authenticated. */
export interface TokenRequest {
  client: OAuth2Client
  form: TokenForm
  /** The key to bind the tokens to. */
  key: DpopKey | null
  raw: RawContext
  origin: RequestOrigin
  /** The time before any query: a request that arrived then can't have seen a later response. */
  arrivedAt: Date
}

/** A token is for the resource that was allowed, and for no other (RFC 8707). */
export function namesResource(
  auth: AgentNeeds<'authorizationServer'>,
  { form: { resource }, raw }: Pick<TokenRequest, 'form' | 'raw'>,
  grant: Pick<GrantRow, 'resource'>,
) {
  const known = { server: authorizationServerOf(auth), ownOrigins: raw.server.ownOrigins }
  return resource === undefined || resourceNamed(known, resource) === grant.resource
}

export function checkResource(...given: Parameters<typeof namesResource>) {
  if (!namesResource(...given)) throw new OAuth2Error({ error: 'invalid_target' })
}

/**
 * Bound tokens are renewed only with their key, and a renewal does not bind others (RFC 9449,
 * section 5).
 */
export function showsKey(
  { key }: Pick<TokenRequest, 'key'>,
  { keyThumbprint }: Pick<GrantRow, 'keyThumbprint'>,
) {
  return (key?.thumbprint ?? null) === keyThumbprint
}

export function checkKey(...given: Parameters<typeof showsKey>) {
  if (!showsKey(...given)) throw new OAuth2Error({ error: 'invalid_dpop_proof' })
}

/**
 * Tokens that are bound to a device of the account depend on it: once it is signed out, they can't
 * be renewed.
 */
export async function isBoundDeviceLive(
  { callers, clock }: AgentNeeds<'callers' | 'clock'>,
  { keyId }: Pick<GrantRow, 'keyId'>,
) {
  if (keyId === null) return true
  const row = await callers(keyId)
  return row?.state === 'active' && row.keyExpiresAt > clock.now()
}

interface Replay {
  grant: GrantRow
  /** When it was used first; null if that is happening now. */
  usedAt: Date | null
  reason: GrantEnd
}

/**
 * A code or a refresh token was used before. If the second request came after the first was
 * answered, one of the two clients has a copy, and we can't know which is the attacker. So
 * everything of the grant ends (RFC 9700, section 4.14.2). A client that has sent the same request
 * twice at once has no copy: it gets one pair of tokens, and keeps it.
 */
export async function endIfReplayed(
  auth: AgentService,
  { arrivedAt, origin }: Pick<TokenRequest, 'arrivedAt' | 'origin'>,
  { grant, usedAt, reason }: Replay,
) {
  if (!usedAt || arrivedAt <= usedAt) return
  await endGrant(auth, { grant, reason, actor: null, origin })
}

/** For a token that doesn't say it: every opaque one that was not exchanged has the same life. */
export const issuedAt = ({ expiresAt }: { readonly expiresAt: Date }) =>
  new Date(expiresAt.getTime() - accessMillis)

export const refreshMillis = 30 * 86_400_000

interface Issue {
  grant: GrantRow
  /** The scopes of the access token; the refresh token keeps all that was granted. */
  scopes: string[]
  now: Date
}

/** Issues a pair of tokens. Only their hashes are stored. */
export async function issueTokens(
  tx: Tx,
  auth: AgentService,
  { grant, scopes, now }: Issue,
): Promise<TokenAnswer> {
  const access = await newAccessToken(tx, auth, { grant, scopes, now })
  const refresh = newToken()
  const spare = {
    tokenHash: hashToken(refresh),
    grantId: grant.grantId,
    kind: 'refresh' as const,
    scopes: grant.scopes,
    expiresAt: new Date(now.getTime() + refreshMillis),
  }
  await insertTokens(tx, [access.row, spare])
  return { ...access.answer, refresh_token: refresh }
}
