import { defineRouter, NotFoundError, type RawContext, route, t } from '@svc/core'
import { type AuthorizationServer, authorizationServerOf } from './authorization-server.ts'
import {
  type AgentService,
  assertionAlgorithms,
  clientAuthMethods,
  deviceGrantType,
} from './clients/clients.ts'
import { dpopAlgorithms } from './dpop/dpop.ts'
import { tokenExchange } from './exchange.ts'
import { idJagProfile, jwtBearer } from './identity-assertions/identity-assertions.ts'
import { ownOrigin, resourceAddress } from './resource-address.ts'
import { agentServiceOf } from './verify-access-token.ts'

const cached = { 'cache-control': 'public, max-age=300' }

const texts = t.Array(t.String())

const ServerMetadata = t.Object({
  issuer: t.String(),
  authorization_endpoint: t.String(),
  token_endpoint: t.String(),
  device_authorization_endpoint: t.Optional(t.String()),
  revocation_endpoint: t.String(),
  registration_endpoint: t.Optional(t.String()),
  jwks_uri: t.Optional(t.String()),
  scopes_supported: texts,
  response_types_supported: texts,
  response_modes_supported: texts,
  grant_types_supported: texts,
  authorization_grant_profiles_supported: t.Optional(texts),
  token_endpoint_auth_methods_supported: texts,
  token_endpoint_auth_signing_alg_values_supported: texts,
  revocation_endpoint_auth_methods_supported: texts,
  revocation_endpoint_auth_signing_alg_values_supported: texts,
  introspection_endpoint: t.Optional(t.String()),
  introspection_endpoint_auth_methods_supported: t.Optional(texts),
  introspection_endpoint_auth_signing_alg_values_supported: t.Optional(texts),
  code_challenge_methods_supported: texts,
  authorization_response_iss_parameter_supported: t.Boolean(),
  client_id_metadata_document_supported: t.Boolean(),
  dpop_signing_alg_values_supported: texts,
})

const ResourceMetadata = t.Object({
  resource: t.String(),
  authorization_servers: texts,
  scopes_supported: texts,
  bearer_methods_supported: texts,
  dpop_signing_alg_values_supported: texts,
})

/**
 * RFC 8414: where the endpoints are and what they accept. It is not an operation, and has no
 * caller.
 */
const authorizationServer = route
  .get('/.well-known/oauth-authorization-server')
  .skip(['auth'])
  .errors(NotFoundError)
  .describe({ summary: 'Returns the metadata of the authorization server (RFC 8414).' })
  .answer(ServerMetadata)
  .handler((c) => c.json(serverMetadata(agentServiceOf(c.raw.server)), 200, cached))

function serverMetadata(auth: AgentService) {
  const server = authorizationServerOf(auth)
  const { issuer, scopes, registration, clientDocuments, deviceGrant } = server
  const at = (path: string) => `${issuer}/_auth/oauth2/${path}`
  const readsDocuments = clientDocuments !== 'off'
  const authMethods = [...clientAuthMethods]
  const algorithms = [...assertionAlgorithms]
  return {
    issuer,
    authorization_endpoint: at('authorize'),
    token_endpoint: at('token'),
    ...(deviceGrant && { device_authorization_endpoint: at('device_authorization') }),
    revocation_endpoint: at('revoke'),
    ...(registration !== 'off' && { registration_endpoint: at('register') }),
    ...(auth.signingKeys && { jwks_uri: at('jwks') }),
    scopes_supported: [...scopes.keys()],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: [
      'authorization_code',
      'refresh_token',
      ...(auth.exchangeClients.size > 0 ? [tokenExchange] : []),
      ...(deviceGrant ? [deviceGrantType] : []),
      ...(auth.identityProviders.isThereOne ? [jwtBearer] : []),
    ],
    ...(auth.identityProviders.isThereOne && {
      authorization_grant_profiles_supported: [idJagProfile],
    }),
    token_endpoint_auth_methods_supported: authMethods,
    revocation_endpoint_auth_methods_supported: authMethods,
    token_endpoint_auth_signing_alg_values_supported: algorithms,
    revocation_endpoint_auth_signing_alg_values_supported: algorithms,
    ...(auth.resourceServers.isThereOne && {
      introspection_endpoint: at('introspect'),
      introspection_endpoint_auth_methods_supported: ['private_key_jwt'],
      introspection_endpoint_auth_signing_alg_values_supported: algorithms,
    }),
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: readsDocuments,
    dpop_signing_alg_values_supported: [...dpopAlgorithms],
  }
}

/**
 * RFC 9728: which server issues tokens for a path of this API. Without a path, it describes the
 * first one.
 */
function resourceMetadata(raw: RawContext, segments: string[]) {
  const server = serverOf(raw)
  const path = segments.length === 0 ? null : `/${segments.join('/')}`
  const own = server.resources.filter((resource) => resource.startsWith('/'))
  const resource =
    path === null ? (own.find((each) => each === '/') ?? own[0]) : own.find((each) => each === path)
  if (resource === undefined) throw new NotFoundError({ resource: 'Route' })
  return {
    resource: resourceAddress(raw, server, resource),
    authorization_servers: [server.issuer],
    scopes_supported: [...server.scopes.keys()],
    bearer_methods_supported: ['header'],
    dpop_signing_alg_values_supported: [...dpopAlgorithms],
  }
}

function serverOf(raw: RawContext) {
  return authorizationServerOf(agentServiceOf(raw.server))
}

const parts = ['a', 'b', 'c', 'd']
const segment = t.String({ description: 'A segment of the path of the resource.' })

/**
 * Paths match exactly, so there is a route for each number of segments that a resource may have.
 */
const ofResources = Object.fromEntries(
  [0, 1, 2, 3, 4].map((depth) => {
    const names = parts.slice(0, depth)
    const path = ['/.well-known/oauth-protected-resource', ...names.map((name) => `:${name}`)]
    const described = route
      .get(path.join('/'))
      .skip(['auth'])
      .input({ params: t.Object(Object.fromEntries(names.map((name) => [name, segment]))) })
      .errors(NotFoundError)
      .describe({
        summary: 'Says which server issues tokens for a resource of this API (RFC 9728).',
      })
      .answer(ResourceMetadata)
      .handler((c) => {
        const given = c.raw.req.param()
        const metadata = resourceMetadata(
          c.raw,
          names.map((name) => given[name] ?? ''),
        )
        return c.json(metadata, 200, { ...cached, vary: 'Host, Origin' })
      })
    return [`oauthProtectedResource${depth === 0 ? '' : depth}`, described]
  }),
)

export const oauth2MetadataRouter = defineRouter({
  oauthAuthorizationServer: authorizationServer,
  ...ofResources,
})

/**
 * Where a client reads which server issues tokens for a resource: between the resource's host and
 * path (RFC 9728, section 3.1).
 */
export function metadataAddress(raw: RawContext, server: AuthorizationServer, resource: string) {
  const { origin, pathname } = new URL(resource, ownOrigin(raw, server))
  return `${origin}/.well-known/oauth-protected-resource${pathname === '/' ? '' : pathname}`
}
