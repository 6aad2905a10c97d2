import type { Db, Infrastructure, RawContext } from '@svc/core'
import { heldOf, heldOn, runningHeld } from '../auth.ts'
import { tenantOf } from '../caller/caller.ts'
import { hashToken, type TokenHash } from '../crypto/crypto.ts'
import { isTokenForm } from './access-tokens/access-tokens.ts'
import { authorizationServerOf } from './authorization-server.ts'
import type { BudgetOf } from './budgets.ts'
import type { AgentService } from './clients/clients.ts'
import { oauth2Contract } from './contract.ts'
import { dpopAlgorithms, readDpopProof } from './dpop/dpop.ts'
import { OAuth2Error } from './errors.ts'
import {
  type AccessToken,
  accessOf,
  type FoundToken,
  findAccessToken,
  type GrantRow,
  isOver,
  liveHolder,
  noteUse,
  resourceNamed,
} from './grants/grants.ts'

export type { AccessToken } from './grants/grants.ts'

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

/** A valid token, and the account that has agreed. */
export type FoundAccess = NonNullable<Awaited<ReturnType<typeof readAccessToken>>>

/** The same, with the account. */
export async function readAccessToken(auth: AgentService, { token, resource, raw }: Given) {
  const found = isTokenForm(token) ? await findAccessToken(auth.db, hashToken(token)) : null
  if (!found || !isFor(auth, found.grant, { resource, raw })) return null
  const account = await liveAccount(auth, found, raw && tenantOf(raw))
  if (!account || !(await isShownByItsKey(auth, found.grant, { token, raw }))) return null
  await noteUse(auth.db, found.grant, auth.clock.now())
  const { userId, tenant, clientId, actors } = found.grant
  const grant: BudgetOf = { userId, tenant, clientId, actors }
  return { account, access: accessOf(auth, found, account), grant }
}

/** The same token again in the course of its request, whose key has shown itself before. Null if it has ended meanwhile. */
export async function readAgain(auth: AgentService, raw: RawContext, hash: TokenHash) {
  const found = await findAccessToken(auth.db, hash)
  const account = found && (await liveAccount(auth, found, tenantOf(raw)))
  return account ? accessOf(auth, found, account) : null
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

/** A grant of a tenant is read with its standing there. Another one, with that in the tenant that the request names. */
async function liveAccount(auth: AgentService, found: FoundToken, named: string | undefined) {
  const { keyId, userId } = found.grant
  // No account is read for a token that is over.
  if (isOver(found, auth.clock.now())) return null
  const tenant = found.grant.tenant ?? named
  const holder =
    keyId === null ? await auth.accounts(userId, tenant) : await auth.callers(keyId, tenant)
  return liveHolder(auth, found, holder)
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

/** The service that issues tokens to agents, on the server that got a request. */
export const agentServiceOf = (server: Infrastructure) =>
  heldOf(server, oauth2Contract) as AgentService

/** The same, for a job. */
export const agentServiceOn = (db: Db) => heldOn(db, oauth2Contract) as AgentService

/** The same on the server of this process. */
const runningAgentService = () => runningHeld(oauth2Contract) as AgentService
