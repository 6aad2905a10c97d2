import { ForbiddenError, NotFoundError, type OutputOf, route, t } from '@svc/core/contract'
import { proofRefusals } from '../caller/contract.ts'
import { allow, defineContract } from '../capability/contract.ts'
import { limitRefusals, perMinute } from '../limits/contract.ts'
import { longestToken } from './access-tokens/token-form.ts'
import { clientAssertion, clientCredentials, clientOperations, text } from './clients/contract.ts'
import { askedFields, consentFields, decisionFields, Scopes } from './consent-fields.ts'
import { deviceOperations } from './device-contract.ts'
import { OAuth2Error } from './errors.ts'

export type { LogoutContract } from './logout-contract.ts'

const ofSignIn = (maxLength: number) => text(maxLength, 'For a sign-in (OpenID Connect).')

/**
 * The parameters with which a client sends a user here. Nothing is required, because a missing one
 * is refused in OAuth's own words.
 */
const authorizationFields = {
  response_type: text(64, '`code`.'),
  client_id: text(2048, 'The id from the registration, or the address of its document.'),
  redirect_uri: text(2048, 'Where the answer goes: one that the client has named.'),
  state: text(4096, 'Comes back as it is.'),
  code_challenge: text(256, 'The SHA-256 of the verifier, in base64url.'),
  code_challenge_method: text(16, '`S256`.'),
  ...askedFields,
  nonce: ofSignIn(1024),
  prompt: ofSignIn(64),
  max_age: ofSignIn(16),
  id_token_hint: ofSignIn(4096),
  asked_at: ofSignIn(128),
}
const AuthorizationFields = t.Object(authorizationFields)
export type AuthorizationFields = OutputOf<typeof AuthorizationFields>

/** What a consent page must show. */
export const Consent = t.Object({
  ...consentFields,
  /**
   * The host of the redirect. Users can recognise a client by it, even if the client uses another's
   * name.
   */
  redirectHost: t.String(),
  /** An application asks who the user is. If that is allowed, the page sends `allow` without asking. */
  signIn: t.Optional(t.Object({ isAllowed: t.Boolean() })),
})
export type Consent = OutputOf<typeof Consent>

const TokenAnswer = t.Object({
  access_token: t.String(),
  token_type: t.Union([t.Literal('Bearer'), t.Literal('DPoP')]),
  expires_in: t.Integer(),
  /** None for an exchange, nor for a sign-in at another application. */
  refresh_token: t.Optional(t.String()),
  issued_token_type: t.Optional(t.String()),
  scope: t.String(),
  /** For an assertion of an identity provider: what the token is for. */
  resource: t.Optional(t.String()),
  id_token: t.Optional(t.String()),
})
export type TokenAnswer = OutputOf<typeof TokenAnswer>

const accessTokenType = text(64, '`…:token-type:access_token`.')
const refused = text(8192, 'Refused.')
const TokenForm = t.Object({
  grant_type: text(64, 'One of `grant_types_supported`.'),
  code: text(128, 'It is good once.'),
  redirect_uri: text(2048, 'Where the answer goes: one that the client has named.'),
  code_verifier: text(256, 'What the challenge of the code was made from.'),
  device_code: text(128, 'It is good once.'),
  refresh_token: text(128, 'The answer has another.'),
  scope: askedFields.scope,
  resource: askedFields.resource,
  subject_token: text(longestToken, 'An access token to exchange (RFC 8693).'),
  subject_token_type: accessTokenType,
  requested_token_type: accessTokenType,
  actor_token: refused,
  actor_token_type: refused,
  audience: refused,
  assertion: text(8192, 'Of an identity provider (RFC 7523). It is good once.'),
  ...clientCredentials,
})
export type TokenForm = OutputOf<typeof TokenForm>

const IntrospectionForm = t.Object({
  // Without a limit: a text that is too long for a token is no token, and no error.
  token: t.Optional(t.String({ description: 'An access token.' })),
  client_id: text(2048, 'The resource.'),
  ...clientAssertion,
})
export type IntrospectionForm = OutputOf<typeof IntrospectionForm>

/** What an access token gives access to. Of every other token it says that it is not active. */
const Introspection = t.Object({
  active: t.Boolean(),
  /** Only of a token that is a JWT, as it has them. */
  iss: t.Optional(t.String()),
  jti: t.Optional(t.String()),
  scope: t.Optional(t.String()),
  client_id: t.Optional(t.String()),
  sub: t.Optional(t.String()),
  aud: t.Optional(t.String()),
  exp: t.Optional(t.Integer()),
  iat: t.Optional(t.Integer()),
  token_type: t.Optional(t.String()),
  /** Of a token that is bound to a key: the thumbprint of the key (RFC 9449). */
  cnf: t.Optional(t.Object({ jkt: t.String() })),
  permissions: t.Optional(t.Array(t.String())),
  /** Of a token that was exchanged: the client as `sub`, and as its `act` the one that it acts for (RFC 8693). */
  act: t.Optional(t.Record(t.String(), t.Unknown())),
  tenant: t.Optional(t.Object({ id: t.String(), permissions: t.Array(t.String()) })),
})
export type Introspection = OutputOf<typeof Introspection>

const Grant = t.Object({
  grantId: t.String(),
  /** If its client got it from another one, for a token of that one's grant: the grant. */
  parentId: t.Optional(t.String()),
  /** If an identity provider has allowed it, and not the user: its issuer. */
  issuer: t.Optional(t.String()),
  clientId: t.String(),
  clientName: t.String(),
  clientUri: t.Optional(t.String()),
  redirectHost: t.String(),
  scopes: Scopes,
  resource: t.String(),
  /** The device whose key its tokens are bound to. */
  keyId: t.Optional(t.String()),
  createdAtMillis: t.Integer(),
  lastUsedAtMillis: t.Optional(t.Integer()),
  expiresAtMillis: t.Integer(),
})
/** What a user has allowed a client. */
export type Grant = OutputOf<typeof Grant>

const GrantDescription = t.Object({
  grantId: t.String(),
  /** Those of its scopes that are permissions, and that the account has now. */
  permissions: t.Array(t.String()),
  /** The tools of its resource, also those that it lacks a permission for. */
  tools: t.Array(
    t.Object({
      name: t.String(),
      title: t.String(),
      does: t.Union([t.Literal('reads'), t.Literal('changes'), t.Literal('deletes')]),
      needs: t.Array(t.String()),
      isAllowed: t.Boolean(),
    }),
  ),
  /** Its windows, if the application limits agents. */
  budget: t.Array(
    t.Object({
      of: t.Union([t.Literal('calls'), t.Literal('rows')]),
      limit: t.Integer(),
      windowMillis: t.Integer(),
      used: t.Integer(),
      endsAtMillis: t.Optional(t.Integer()),
    }),
  ),
  /** The newest entries of the audit trail that it caused. */
  acts: t.Array(
    t.Object({
      at: t.String(),
      act: t.String(),
      outcome: t.Union([t.Literal('done'), t.Literal('refused')]),
      target: t.Optional(t.String()),
    }),
  ),
})
/** What a grant allows now, and what it was used for. */
export type GrantDescription = OutputOf<typeof GrantDescription>

const grantId = t.String({
  maxLength: 64,
  description: 'As `listOAuth2Grants` has it.',
})

/**
 * The authorization server for agents (OAuth 2.1): a program asks, its user agrees on a page, and
 * it gets tokens for one resource. All its routes answer 404 until `authorizationServer` is
 * configured.
 */
export const oauth2Contract = defineContract('oauth2', {
  operations: {
    getOAuth2Authorize: allow.optional('uncounted')(
      route
        .get('/_auth/oauth2/authorize')
        .input({ query: AuthorizationFields })
        .answer(Consent, 200, 302)
        .errors(OAuth2Error, NotFoundError, ...limitRefusals)
        .describe({
          summary: 'Redirects to the consent page, or returns what to show.',
        }),
    ),
    createOAuth2AuthorizationCode: allow.freshForSome(
      route
        .post('/_auth/oauth2/authorize')
        .input({
          body: t.Object({
            ...authorizationFields,
            ...decisionFields,
          }),
        })
        .answer(t.Object({ redirectTo: t.String() }), 200, 303)
        .errors(OAuth2Error, NotFoundError, ForbiddenError, ...proofRefusals, ...limitRefusals)
        .describe({
          summary: 'Allows or denies what a client asks for. Redirects a form to the GET.',
        }),
    ),
    oauth2Token: allow.public('oauth2 token by address')(
      route
        .post('/_auth/oauth2/token')
        .input({ form: TokenForm })
        .answer(TokenAnswer)
        .errors(OAuth2Error, NotFoundError)
        .describe({ summary: 'Returns tokens for a grant.' }),
    ),
    oauth2Revoke: allow.public('oauth2 token by address')(
      route
        .post('/_auth/oauth2/revoke')
        .input({
          form: t.Object({
            token: text(longestToken, 'An access token or a refresh token.'),
            token_type_hint: text(64, 'Either is found without it.'),
            ...clientCredentials,
          }),
        })
        .answer(t.Object({}))
        .errors(OAuth2Error, NotFoundError)
        .describe({
          summary: 'Ends what a token gives access to (RFC 7009).',
        }),
    ),
    oauth2Introspect: allow.public('oauth2 introspect by address')(
      route
        .post('/_auth/oauth2/introspect')
        .input({ form: IntrospectionForm })
        .answer(Introspection)
        .errors(OAuth2Error, NotFoundError)
        .describe({
          summary: 'Says what a token is for (RFC 7662).',
        }),
    ),
    listOAuth2Grants: allow.bearer('owner only')(
      route
        .get('/_auth/oauth2/grants')
        .answer(t.Object({ grants: t.Array(Grant) }))
        .errors(NotFoundError)
        .describe({ summary: 'Lists what the caller allowed to which clients.' }),
    ),
    getOAuth2Grant: allow.bearer('owner only')(
      route
        .get('/_auth/oauth2/grants/:grantId')
        .input({ params: t.Object({ grantId }) })
        .answer(GrantDescription)
        .errors(NotFoundError)
        .describe({
          summary:
            'What a grant allows now, how much of its budget is used up, and what it did lately.',
        }),
    ),
    revokeOAuth2Grant: allow.bearer('owner only')(
      route
        .delete('/_auth/oauth2/grants/:grantId')
        .input({
          params: t.Object({ grantId }),
        })
        .answer(t.Object({ grantId: t.String() }))
        .errors(NotFoundError)
        .describe({
          summary: 'Revokes a grant with all its tokens.',
        }),
    ),
    ...deviceOperations,
    ...clientOperations,
  },
  errors: [OAuth2Error],
  limits: {
    'oauth2 register by address': perMinute(10),
    // Each may make this server fetch from an address that an attacker chose.
    'oauth2 document by address': perMinute(10),
    // The browsers of all users of a company.
    'oauth2 form by address': perMinute(600),
    'oauth2 consent by account': perMinute(30),
    // The server of an application redeems the codes of all its users.
    'oauth2 token by address': perMinute(600),
    'oauth2 device by address': perMinute(10),
    // As for the codes of devices that sign in.
    'oauth2 device code by address': perMinute(50),
    'oauth2 device code by account': perMinute(10),
    // The server of a resource may ask for each of its own requests.
    'oauth2 introspect by address': perMinute(600),
  },
  // A client may send a browser here by GET and by POST (OpenID Connect Core, section 3.1.2.1). The page sends JSON.
  forms: { createOAuth2AuthorizationCode: 'oauth2 form by address' },
  requires: 'It is there if an authorization server is configured.',
  // The consent page must distinguish an expired session, and a factor to prove, from a wrong
  // request: it gets our own errors.
  rewords: {
    oauth2DeviceAuthorization: OAuth2Error,
    oauth2Token: OAuth2Error,
    oauth2Revoke: OAuth2Error,
    oauth2Introspect: OAuth2Error,
    registerOAuth2Client: OAuth2Error,
  },
})
