import type { Infrastructure, RawContext } from '@svc/core'
import { heldOf, runningHeld } from '../auth.ts'
import { mustChangePassword, readAccount } from '../authenticate/authenticate.ts'
import type { AccountRow, CallerRow } from '../caller/caller.ts'
import { hashToken } from '../crypto/crypto.ts'
import { authorizationServerOf } from './authorization-server.ts'
import type { AgentService } from './clients/clients.ts'
import { oauth2Contract } from './contract.ts'
import { dpopAlgorithms, readDpopProof } from './dpop/dpop.ts'
import { OAuth2Error } from './errors.ts'
import {
  type FoundToken,
  findToken,
  type GrantRow,
  noteUse,
  resourceNamed,
  stillGiven,
} from './grants/grants.ts'

/** What an access token gives access to. */
export interface AccessToken {
  readonly userId: string
  readonly clientId: string
  readonly grantId: string
  readonly resource: string
  readonly scopes: readonly string[]
  /** Those of the scopes that are permissions, and that the account has now. */
  readonly permissions: readonly string[]
  readonly expiresAt: Date
  /** Whether it is worthless without a key that only its client has (RFC 9449). */
  readonly isBound: boolean
}

/**
 * Reads a token for a resource; null if it is not valid. It comes from the database every time, so
 * a revoked one is refused from the next request on. A token that is bound to a key (RFC 9449)
 * needs the request that it came with, `c.raw`, to show the key.
 */
export async function verifyAccessToken(
  token: string,
  resource: string,
  raw?: RawContext,
): Promise<AccessToken | null> {
  const found = await readAccessToken(runningAgentService(), { token, resource, raw })
  return found?.access ?? null
}

interface Given {
  token: string
  resource: string
  raw?: RawContext | undefined
}

const form = /^[\w-]{43}$/

/** The same, with the account. */
export async function readAccessToken(auth: AgentService, { token, resource, raw }: Given) {
  const found = form.test(token) ? await findToken(auth.db, hashToken(token), 'access') : null
  if (!found || !isFor(auth, found.grant, { resource, raw })) return null
  const account = await liveAccount(auth, found)
  if (!account || !(await isShownByItsKey(auth, found.grant, { token, raw }))) return null
  await noteUse(auth.db, found.grant, auth.clock.now())
  return { account, access: accessOf(auth, found, account) }
}

/** Refuses a token for another resource: that resource's server could use it here (RFC 8707). */
function isFor(
  auth: AgentService,
  grant: GrantRow,
  { resource, raw }: Pick<Given, 'resource' | 'raw'>,
) {
  const server = authorizationServerOf(auth)
  const ownOrigins = raw?.server.ownOrigins ?? new Set<string>()
  const named = server.resources.includes(resource)
    ? resource
    : resourceNamed({ server, ownOrigins }, resource)
  return named === grant.resource
}

async function liveAccount(auth: AgentService, { token, grant }: FoundToken) {
  const now = auth.clock.now()
  if (grant.state !== 'active' || token.expiresAt <= now) return null
  const row: (AccountRow & Partial<CallerRow>) | null =
    grant.keyId === null
      ? await readAccount(auth.db, grant.userId)
      : await auth.callers(grant.keyId)
  if (row?.userId !== grant.userId || row.generation !== grant.generation) return null
  if (row.status !== 'active' || mustChangePassword(auth, row)) return null
  const isDeviceLive =
    row.keyExpiresAt === undefined || (row.state === 'active' && row.keyExpiresAt > now)
  return isDeviceLive ? row : null
}

// RFC 9449, section 9. The nonce is in a header of its own.
const nonceChallenge = `DPoP error="use_dpop_nonce", algs="${dpopAlgorithms.join(' ')}"`

async function isShownByItsKey(
  auth: AgentService,
  { keyThumbprint }: GrantRow,
  { token, raw }: Pick<Given, 'token' | 'raw'>,
) {
  if (keyThumbprint === null) return true
  try {
    const key = raw && (await readDpopProof(auth, raw, { token }))
    return key?.thumbprint === keyThumbprint
  } catch (error) {
    if (!(error instanceof OAuth2Error)) throw error
    if (error.error === 'use_dpop_nonce') raw?.header('www-authenticate', nonceChallenge)
    return false
  }
}

function accessOf(
  auth: AgentService,
  { token, grant }: FoundToken,
  account: AccountRow,
): AccessToken {
  const { userId, clientId, grantId, resource } = grant
  const { expiresAt } = token
  const scopes = stillGiven(authorizationServerOf(auth), token.scopes)
  const permissions = account.permissions.filter((name) => scopes.includes(name))
  const isBound = grant.keyThumbprint !== null
  return { userId, clientId, grantId, resource, scopes, permissions, expiresAt, isBound }
}

/** The service that issues tokens to agents, on the server that got a request. */
export const agentServiceOf = (server: Infrastructure) =>
  heldOf(server, oauth2Contract) as AgentService

/** The same on the server of this process. */
const runningAgentService = () => runningHeld(oauth2Contract) as AgentService
