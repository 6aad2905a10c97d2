import { recordAudit } from '../../audit/audit.ts'
import type { Caller, RequestOrigin } from '../../caller/caller.ts'
import { hashToken, newToken } from '../../crypto/crypto.ts'
import { inTransaction } from '../../in-transaction.ts'
import { type AuthorizationServer, authorizationServerOf } from '../authorization-server.ts'
import { OAuth2Error } from '../errors.ts'
import type { AgentNeeds, AgentService } from './agent-needs.ts'
import {
  assertionAlgorithms,
  type ClientAuthMethod,
  clientAuthMethods,
  declarationOf,
  declaredKeys,
  keysAddress,
} from './client-keys.ts'
import { type ClientFacts, deviceGrantType, readMetadata, unusable } from './client-metadata.ts'
import type { ClientMetadata, RegisteredClient } from './contract.ts'
import { redirectHost } from './redirect-uri.ts'
import { insertRegistration } from './store.ts'

interface Registration {
  caller: Caller | undefined
  metadata: ClientMetadata
  origin: RequestOrigin
}

// A client asks for its first grant within minutes.
const unusedMillis = 24 * 60 * 60_000

/**
 * Registers a client by its description of itself (RFC 7591). Its secret, if it has one, is
 * returned only this once.
 */
export async function registerClient(
  auth: AgentService,
  { caller, metadata, origin }: Registration,
): Promise<RegisteredClient> {
  if (!caller && authorizationServerOf(auth).registration !== 'open') throw signedInOnly()
  const facts = readMetadata(metadata, authorizationServerOf(auth))
  const { authMethod, declaredKeys: declared } = registeredAuthentication(auth, metadata)
  const clientId = newToken()
  const secret = newToken()
  const now = auth.clock.now()
  await inTransaction(auth.db, async (tx) => {
    await insertRegistration(tx, {
      ...facts,
      clientId,
      authMethod,
      // The table requires a secret of every client that is not public. A client that signs never
      // gets it.
      secretHash: authMethod === 'none' ? null : hashToken(secret),
      declaredKeys: declared,
      createdAt: now,
      expiresAt: new Date(now.getTime() + unusedMillis),
    })
    await recordAudit(tx, {
      act: 'oauth2.client.registered',
      actor: caller?.userId ?? null,
      target: clientId,
      details: { name: facts.name, redirectHosts: facts.redirectUris.map(redirectHost) },
      origin,
      at: now,
    })
  })
  const scope = knownScopes(auth, metadata.scope)
  return {
    client_id: clientId,
    client_id_issued_at: Math.floor(now.getTime() / 1000),
    ...(hasSecret(authMethod) && { client_secret: secret, client_secret_expires_at: 0 }),
    ...told(facts, authorizationServerOf(auth)),
    token_endpoint_auth_method: authMethod,
    ...declared,
    ...(scope && { scope }),
  }
}

/** The members that every client has, and what was stored of this one's description. */
function told(
  { name, uri, redirectUris, isDpopBound, hasDeviceGrant }: ClientFacts,
  { deviceGrant }: Pick<AuthorizationServer, 'deviceGrant'>,
) {
  const isRedirected = redirectUris.length > 0
  return {
    client_name: name,
    ...(uri && { client_uri: uri }),
    redirect_uris: redirectUris,
    grant_types: [
      ...(isRedirected ? ['authorization_code'] : []),
      ...(deviceGrant && hasDeviceGrant ? [deviceGrantType] : []),
      'refresh_token',
    ],
    response_types: isRedirected ? ['code'] : [],
    dpop_bound_access_tokens: isDpopBound,
  }
}

const hasSecret = (method: ClientAuthMethod) =>
  method === 'client_secret_basic' || method === 'client_secret_post'

function knownScopes(auth: AgentService, given = '') {
  const { scopes } = authorizationServerOf(auth)
  const known = given.split(' ').filter((name) => scopes.has(name))
  return [...new Set(known)].join(' ')
}

function signedInOnly() {
  return new OAuth2Error({
    error: 'access_denied',
    message:
      'Only signed-in users can register a client: sign the request with a device key. Or use the address of a client id metadata document as the client_id, without registering.',
  })
}

interface RegisteredAuthentication {
  authMethod: ClientAuthMethod
  /** The keys that it signs with, if any. */
  declaredKeys: ReturnType<typeof declarationOf> | null
}

/**
 * A client has a secret unless it says otherwise (RFC 7591, section 2). If it can do without, it
 * has none.
 */
function registeredAuthentication(
  auth: AgentNeeds<'authorizationServer'>,
  metadata: ClientMetadata,
): RegisteredAuthentication {
  const { token_endpoint_auth_method: given = 'client_secret_basic' } = metadata
  const isPublicToo = metadata.token_endpoint_auth_methods_supported?.includes('none') ?? false
  const method = clientAuthMethods.find((each) => each === given) ?? (isPublicToo && 'none')
  if (!method) {
    throw unusable(`The token_endpoint_auth_method is one of ${clientAuthMethods.join(', ')}.`)
  }
  if (method === 'private_key_jwt') return withKeys(auth, metadata, isPublicToo)
  const hasKeys = metadata.jwks !== undefined || metadata.jwks_uri !== undefined
  if (hasKeys && method !== 'none') {
    throw unusable('Keys (jwks, jwks_uri) are for the token_endpoint_auth_method private_key_jwt.')
  }
  return { authMethod: method, declaredKeys: null }
}

// For an assertion all of them are parsed again, which a stranger can cause.
const mostKeys = 20

function withKeys(
  auth: AgentNeeds<'authorizationServer'>,
  metadata: ClientMetadata,
  isPublicToo: boolean,
): RegisteredAuthentication {
  const declared = declaredKeys(metadata)
  const jwksUri = declared?.jwksUri ?? null
  const isReadable = jwksUri === null || keysAddress(authorizationServerOf(auth), jwksUri) !== null
  if (declared && isReadable && declared.keys.length <= mostKeys) {
    return { authMethod: 'private_key_jwt', declaredKeys: declarationOf(declared) }
  }
  if (isPublicToo) return { authMethod: 'none', declaredKeys: null }
  throw unusable(
    `For private_key_jwt, name a jwks_uri that is https, or a jwks of up to ${mostKeys} public keys ` +
      `that sign by ${assertionAlgorithms.join(', ')}.`,
  )
}
