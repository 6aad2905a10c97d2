import {
  type Credential,
  defineMiddleware,
  ForbiddenError,
  type HandlerContext,
  type Middleware,
  type RawContext,
  receiveBody,
  UnauthorizedError,
} from '@svc/core'
import { acceptCaller, accountRefusals, setInnerCaller } from '../authenticate/authenticate.ts'
import { noteAgent, type Standing, setScopeChallenge, tenantOf } from '../caller/caller.ts'
import { hashToken, type TokenHash } from '../crypto/crypto.ts'
import { type AuthorizationServer, authorizationServerOf } from './authorization-server.ts'
import type { AgentService } from './clients/clients.ts'
import { refuseForeignPage } from './cross-origin.ts'
import { dpopAlgorithms } from './dpop/dpop.ts'
import { findAccessToken } from './grants/grants.ts'
import { metadataAddress } from './metadata.ts'
import { presentedToken } from './presented-token.ts'
import {
  type AccessToken,
  agentServiceOf,
  type FoundAccess,
  readAccessToken,
  readAgain,
} from './verify-access-token.ts'

export type { JwtAccessTokens } from './access-tokens/access-tokens.ts'
export { isSealedForAgent, sealForAgent } from './agent-seal.ts'
export type {
  AuthorizationServerOptions,
  OpenIdClient,
  OpenIdOptions,
} from './authorization-server.ts'
export { findClientName } from './clients/clients.ts'
export {
  accountsOfOverGrants,
  agentsOf,
  agentsOfServices,
  endAssertedGrants,
  endLockedGrant,
  findActiveGrant,
  forgetGrantsOf,
  readAgentPage,
  type ServiceAgent,
} from './grants/grants.ts'
export { oauth2MetadataRouter } from './metadata.ts'
export { openidMetadataRouter, openidRouter } from './openid/openid.ts'
export { type AccessToken, verifyAccessToken } from './verify-access-token.ts'

const key = 'svc.access-token'

/** The access token of the request. */
export function getAccessToken(c: HandlerContext | RawContext): AccessToken {
  const token = ('raw' in c ? c.raw : c).get<AccessToken>(key)
  if (!token) throw new UnauthorizedError()
  return token
}

const hashKey = 'svc.access-token-hash'

/**
 * What the access token of the request gives now, for a request that waits. Null if something has ended it since the
 * request came.
 */
export async function readAccessTokenAgain(c: HandlerContext): Promise<AccessToken | null> {
  const hash = c.raw.get<TokenHash>(hashKey)
  return hash ? readAgain(agentServiceOf(c.raw.server), c.raw, hash) : null
}

const authorizationCode = {
  authorizationUrl: '/_auth/oauth2/authorize',
  tokenUrl: '/_auth/oauth2/token',
  refreshUrl: '/_auth/oauth2/token',
  // The scopes are configuration: the metadata document of RFC 8414 lists them.
  scopes: {},
}
const credentials: Credential[] = [
  {
    accessToken: {
      type: 'oauth2',
      description:
        'An access token (OAuth 2.1) of a client that an account has allowed. Without one, `WWW-Authenticate` says where to get it (RFC 9728).',
      flows: { authorizationCode },
    },
  },
  {
    boundAccessToken: {
      type: 'http',
      scheme: 'DPoP',
      description:
        'An access token that is bound to a key. The header `DPoP` has a proof of that key for this request (RFC 9449).',
    },
  },
]

/**
 * Accepts an agent's request with an access token for a resource of this API. The caller is the
 * account that allowed it, with only the permissions that the token's scopes name.
 */
export function accessTokenAuth(resource: string): Middleware {
  return defineMiddleware(
    'access-token',
    async (raw, next) => {
      const answered = await admitAgent(raw, resource)
      await next()
      await answered(raw)
    },
    { skips: ['auth'], documents: { credentials, errors: [...accountRefusals, ForbiddenError] } },
  )
}

/** Returns what to do after the request is answered. */
async function admitAgent(raw: RawContext, resource: string) {
  const auth = agentServiceOf(raw.server)
  const server = authorizationServerOf(auth)
  if (!server.resources.includes(resource)) {
    throw new Error(
      `authorizationServer.resources does not name "${resource}": no token is for it.`,
    )
  }
  refuseForeignPage(raw)
  const shown = presentedToken(raw)
  const challenge = challengeOf({ raw, server, resource })
  // Set before any refusal: a client without a token learns from it where to get one (RFC 9728,
  // section 5.1).
  challenge({ scopes: [...server.scopes.keys()], ...(shown && { error: 'invalid_token' }) })
  const found = shown && (await readAfterBody(raw, auth, { token: shown.token, resource }))
  // A bound token that is sent like an unbound one was stolen from its client (RFC 9449, section
  // 7.2).
  if (!found || found.access.isBound !== shown.isBound) throw new UnauthorizedError()
  raw.header('www-authenticate')
  const { access, grant } = found
  raw.set(hashKey, hashToken(shown.token))
  await auth.budgets.take(grant)
  const answered = ({ answer }: RawContext) => auth.budgets.answered(grant, answer)
  acceptAgent(raw, found)
  setInnerCaller(raw, (inner) => {
    acceptAgent(inner, found)
    return answered
  })
  setScopeChallenge(raw, (permissions) => {
    const isObtainable = (name: string) => server.scopes.has(name) && !access.scopes.includes(name)
    // If a permission is not a scope, or the account has lost it, no other token gives it either.
    if (permissions.length === 0 || !permissions.every(isObtainable)) return false
    challenge({ scopes: [...access.scopes, ...permissions], error: 'insufficient_scope' })
    return true
  })
  return answered
}

/** Makes the account the caller, of the request or of an operation that is called in its course. */
function acceptAgent(raw: RawContext, { account, access }: FoundAccess) {
  // No key of the account has signed this request, even if the token is bound to a key.
  // Outside of its tenant, an agent of a tenant has no permission.
  const chosenPermissions = access.tenant ? [] : [...access.scopes]
  acceptCaller(raw, {
    ...account,
    standing: standingHere(raw, account, access),
    keyId: '',
    kind: 'agent',
    chosenPermissions,
  })
  if (access.tenant) fenceTo(raw, account.standing)
  const { clientId, grantId, actors } = access
  noteAgent(raw, { clientId, grantId, ...(actors.length > 0 && { actors }) })
  raw.set(key, access)
}

/** An agent of a tenant has no standing in another one, which the path may name. */
function standingHere(
  raw: RawContext,
  { standing }: { readonly standing: Standing | null },
  { tenant }: AccessToken,
) {
  const named = tenantOf(raw)?.toLowerCase()
  // What the account was read with is the standing in the tenant that the request itself names.
  if (!tenant) return raw.outer && named !== undefined ? null : standing
  return named !== undefined && named !== tenant.id ? null : standing
}

/** As on a route that names the tenant: what the agent reads is the tenant's, also where the path names none. */
function fenceTo(raw: RawContext, standing: Standing | null) {
  if (!standing) return
  raw.databaseSettings = standing.settings
  raw.tenant = standing.id
}

/**
 * A client that delays the end of a body must not act with a grant that has ended meanwhile.
 * Without a valid token, no body is read.
 */
async function readAfterBody(
  raw: RawContext,
  auth: AgentService,
  given: { token: string; resource: string },
) {
  const isHeld = !raw.isReceived
  if (isHeld && (await findAccessToken(auth.db, hashToken(given.token)))) await receiveBody(raw)
  return readAccessToken(auth, { ...given, raw })
}

interface Challenge {
  scopes: readonly string[]
  error?: 'invalid_token' | 'insufficient_scope'
}

interface Asked {
  raw: RawContext
  server: AuthorizationServer
  resource: string
}

/**
 * Names the token that the resource requires, and what is wrong with the one that was sent (RFC
 * 6750, section 3).
 */
function challengeOf({ raw, server, resource }: Asked) {
  const metadata = metadataAddress(raw, server, resource)
  return ({ scopes, error }: Challenge) => {
    const failure = error ? `, error="${error}"` : ''
    const told = `resource_metadata="${metadata}"${failure}, scope="${scopes.join(' ')}"`
    const algorithms = dpopAlgorithms.join(' ')
    raw.header('www-authenticate', `Bearer ${told}, DPoP ${told}, algs="${algorithms}"`)
  }
}
