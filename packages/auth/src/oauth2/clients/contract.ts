import { NotFoundError, type OutputOf, route, t } from '@svc/core/contract'
import { SupportSessionForbiddenError } from '../../caller/errors.ts'
import { allow } from '../../capability/contract.ts'
import { OAuth2Error } from '../errors.ts'

export const text = (maxLength: number, description?: string) =>
  t.Optional(t.String({ maxLength, ...(description && { description }) }))
const texts = t.Optional(t.Array(t.String({ maxLength: 256 }), { maxItems: 20 }))

/**
 * How a client describes itself (RFC 7591), at registration and in a document. Other members are
 * not stored.
 */
const clientMetadata = {
  redirect_uris: t.Optional(t.Array(t.String({ maxLength: 2048 }))),
  client_name: text(256),
  client_uri: text(2048),
  token_endpoint_auth_method: text(64),
  token_endpoint_auth_methods_supported: texts,
  token_endpoint_auth_signing_alg: text(64),
  grant_types: texts,
  response_types: texts,
  scope: text(2048),
  dpop_bound_access_tokens: t.Optional(t.Boolean()),
  jwks: t.Optional(t.Unknown()),
  jwks_uri: text(2048),
}
const ClientMetadata = t.Object(clientMetadata)
export type ClientMetadata = OutputOf<typeof ClientMetadata>

/** A host's description of a client whose id is an address on it. */
export const ClientDocument = t.Object({
  ...clientMetadata,
  client_id: t.String(),
  client_secret: t.Optional(t.Unknown()),
})

const RegisteredClient = t.Object({
  client_id: t.String(),
  client_id_issued_at: t.Integer(),
  client_secret: t.Optional(t.String()),
  client_secret_expires_at: t.Optional(t.Integer()),
  client_name: t.String(),
  client_uri: t.Optional(t.String()),
  redirect_uris: t.Array(t.String()),
  token_endpoint_auth_method: t.String(),
  token_endpoint_auth_signing_alg: t.Optional(t.String()),
  jwks: t.Optional(t.Object({ keys: t.Array(t.Record(t.String(), t.Unknown())) })),
  jwks_uri: t.Optional(t.String()),
  grant_types: t.Array(t.String()),
  response_types: t.Array(t.String()),
  scope: t.Optional(t.String()),
  dpop_bound_access_tokens: t.Boolean(),
})
export type RegisteredClient = OutputOf<typeof RegisteredClient>

export const clientAssertion = {
  client_assertion_type: text(128, 'Of a client that signs: `…:client-assertion-type:jwt-bearer`.'),
  client_assertion: text(8192, 'What it has signed (RFC 7523). It is good once.'),
}
/** How a client authenticates in a form. */
export const clientCredentials = {
  client_id: text(2048, 'The id from the registration, or the address of its document.'),
  client_secret: text(128, 'Of a client that shows it in the form.'),
  ...clientAssertion,
}

export const clientOperations = {
  registerOAuth2Client: allow.optional('oauth2 register by address')(
    route
      .post('/_auth/oauth2/register')
      .input({ body: ClientMetadata })
      .answer(RegisteredClient, 201)
      .errors(OAuth2Error, NotFoundError, SupportSessionForbiddenError)
      .describe({ summary: 'Registers a client (RFC 7591).' }),
  ),
}
