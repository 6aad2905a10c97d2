import { recordAudit } from '../audit/record-audit.ts'
import { authorizationServerOf } from '../authorization-server/configured.ts'
import { OAuth2Error } from '../authorization-server/errors.ts'
import type { Caller } from '../caller/caller.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import { hashToken, newToken } from '../crypto/token.ts'
import type { AgentService } from './agent-needs.ts'
import type { ClientAuthMethod } from './client-auth-methods.ts'
import { type ClientFacts, readMetadata } from './client-metadata.ts'
import type { ClientMetadata, RegisteredClient } from './operations.ts'
import { redirectHost } from './redirect-uri.ts'
import { registeredAuthentication } from './registered-authentication.ts'
import { insertRegistration } from './store.ts'

interface Registration {
  caller: Caller | undefined
  metadata: ClientMetadata
  origin: RequestOrigin
}

// A client asks for its first grant within minutes.
const unusedMillis = 24 * 60 * 60_000

/** A client that has told about itself (RFC 7591). Its secret, where it has one, is told this once. */
export async function registerClient(
  auth: AgentService,
  { caller, metadata, origin }: Registration,
): Promise<RegisteredClient> {
  if (!caller && authorizationServerOf(auth).registration !== 'open') throw signedInOnly()
  const facts = readMetadata(metadata, authorizationServerOf(auth))
  const { authMethod, declaredKeys } = registeredAuthentication(auth, metadata)
  const clientId = newToken()
  const secret = newToken()
  const now = auth.clock.now()
  await auth.db.transaction(async (tx) => {
    await insertRegistration(tx, {
      ...facts,
      clientId,
      authMethod,
      // The table wants a secret of every client that is not public. A client that signs is not told it.
      secretHash: authMethod === 'none' ? null : hashToken(secret),
      declaredKeys,
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
    ...told(facts),
    token_endpoint_auth_method: authMethod,
    ...declaredKeys,
    ...(scope && { scope }),
  }
}

/** What every client has, and what was kept of what this one has said. */
function told({ name, uri, redirectUris, isDpopBound }: ClientFacts) {
  return {
    client_name: name,
    ...(uri && { client_uri: uri }),
    redirect_uris: redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
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
      'Clients are registered by whoever is signed in here: sign the request with a device key. Or use the address of a client id metadata document as the client_id, without registering.',
  })
}
