import type { Db, Infrastructure, RawContext } from '@svc/core'
import { heldOf, heldOn, runningHeld } from '../auth.ts'
import { mustChangePassword } from '../authenticate/authenticate.ts'
import {
  type AccountRow,
  type AccountWithStanding,
  type Standing,
  tenantOf,
} from '../caller/caller.ts'
import { hashToken } from '../crypto/crypto.ts'
import { authorizationServerOf } from './authorization-server.ts'
import type { BudgetOf } from './budgets.ts'
import type { AgentService } from './clients/clients.ts'
import { oauth2Contract } from './contract.ts'
import { dpopAlgorithms, readDpopProof } from './dpop/dpop.ts'
import { OAuth2Error } from './errors.ts'
import {
  type FoundToken,
  findAccessToken,
  type GrantRow,
  type HeldToken,
  type Holder,
  noteUse,
  resourceNamed,
  stillGiven,
} from './grants/grants.ts'

/** What an access token gives access to. */
export interface AccessToken {
  readonly userId: string
  readonly clientId: string
  readonly grantId: string
  /**
   * If it was exchanged (RFC 8693): its client, the client that it acts for, and so on to the one that the account has
   * allowed. Otherwise empty.
   */
  readonly actors: readonly string[]
  readonly resource: string
  readonly scopes: readonly string[]
  /** Those of the scopes that are permissions, and that the account has now. */
  readonly permissions: readonly string[]
  /**
   * The tenant that the grant belongs to, such as an organization, and those of the scopes that are permitted there now.
   * Null for a person's grant. Such a token has no permission outside of the tenant.
   */
  readonly tenant: Pick<Standing, 'id' | 'permissions'> | null
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

/** A valid token, and the account that has agreed. */
export type FoundAccess = NonNullable<Awaited<ReturnType<typeof readAccessToken>>>

/** The same, with the account. */
export async function readAccessToken(auth: AgentService, { token, resource, raw }: Given) {
  const found = form.test(token) ? await findAccessToken(auth.db, hashToken(token)) : null
  if (!found || !isFor(auth, found.grant, { resource, raw })) return null
  const account = await liveAccount(auth, found, raw && tenantOf(raw))
  if (!account || !(await isShownByItsKey(auth, found.grant, { token, raw }))) return null
  await noteUse(auth.db, found.grant, auth.clock.now())
  const { userId, tenant, clientId, actors } = found.grant
  const grant: BudgetOf = { userId, tenant, clientId, actors }
  return { account, access: accessOf(auth, found, account), grant }
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

const isOver = ({ token, grant }: HeldToken, now: Date) =>
  grant.state !== 'active' || token.expiresAt <= now

/** The application may have taken one of the clients off its list since. The user has allowed the last one. */
const mayExchange = (auth: AgentService, { actors }: HeldToken['grant']) =>
  (actors ?? []).slice(0, -1).every((clientId) => auth.exchangeClients.has(clientId))

/** The account of a token, with what was chosen of its standing. Null if something has ended the token. */
export function liveHolder(auth: AgentService, found: HeldToken, row: Holder | null) {
  const { token, grant } = found
  const now = auth.clock.now()
  if (isOver(found, now) || !mayExchange(auth, grant)) return null
  if (row?.userId !== grant.userId || row.generation !== grant.generation) return null
  if (row.status !== 'active' || mustChangePassword(auth, row)) return null
  // The tenant is closed, or the account does not belong to it any more.
  if (grant.tenant !== null && !row.standing?.isProgram) return null
  const isDeviceLive =
    row.keyExpiresAt === undefined || (row.state === 'active' && row.keyExpiresAt > now)
  if (!isDeviceLive) return null
  return { ...row, standing: row.standing ? chosenOf(auth, token, row.standing) : null }
}

const scopesOf = (auth: AgentService, { scopes }: HeldToken['token']) =>
  stillGiven(authorizationServerOf(auth), scopes)

/** What the scopes name of a standing: nothing else was chosen for the agent. */
function chosenOf(auth: AgentService, token: HeldToken['token'], standing: Standing): Standing {
  const scopes = scopesOf(auth, token)
  const permissions = standing.permissions.filter((name) => scopes.includes(name))
  return { ...standing, permissions }
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

export function accessOf(
  auth: AgentService,
  { token, grant }: HeldToken,
  { standing, ...account }: AccountRow & Pick<AccountWithStanding, 'standing'>,
): AccessToken {
  const { userId, clientId, grantId, resource } = grant
  const actors = grant.actors ?? []
  const { expiresAt } = token
  const scopes = scopesOf(auth, token)
  const isBound = grant.keyThumbprint !== null
  const granted = { userId, clientId, grantId, actors, resource, scopes, expiresAt, isBound }
  if (grant.tenant !== null && standing) {
    const { id, permissions } = standing
    return { ...granted, permissions: [], tenant: { id, permissions } }
  }
  const permissions = account.permissions.filter((name) => scopes.includes(name))
  return { ...granted, permissions, tenant: null }
}

/** The service that issues tokens to agents, on the server that got a request. */
export const agentServiceOf = (server: Infrastructure) =>
  heldOf(server, oauth2Contract) as AgentService

/** The same, for a job. */
export const agentServiceOn = (db: Db) => heldOn(db, oauth2Contract) as AgentService

/** The same on the server of this process. */
const runningAgentService = () => runningHeld(oauth2Contract) as AgentService
