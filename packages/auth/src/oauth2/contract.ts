import {
  NotFoundError,
  type OutputOf,
  route,
  ServiceUnavailableError,
  TooManyRequestsError,
  t,
} from '@svc/core/contract'
import { allow } from '../access.ts'
import { StepUpRequiredError } from '../authenticate/errors.ts'
import { OAuth2Error } from './errors.ts'

/** What a client asks for when it sends somebody here. Nothing is required: who lacks what is told in OAuth's own words. */
export const authorizationFields = {
  response_type: t.Optional(t.String({ maxLength: 64 })),
  client_id: t.Optional(t.String({ maxLength: 2048 })),
  redirect_uri: t.Optional(t.String({ maxLength: 2048 })),
  scope: t.Optional(t.String({ maxLength: 2048 })),
  state: t.Optional(t.String({ maxLength: 4096 })),
  code_challenge: t.Optional(t.String({ maxLength: 256 })),
  code_challenge_method: t.Optional(t.String({ maxLength: 16 })),
  resource: t.Optional(t.String({ maxLength: 2048 })),
}
const AuthorizationFields = t.Object(authorizationFields)
export type AuthorizationFields = OutputOf<typeof AuthorizationFields>

const Scopes = t.Array(t.Object({ name: t.String(), description: t.String() }))

/** What a consent page has to show. */
export const Consent = t.Object({
  clientId: t.String(),
  clientName: t.String(),
  clientUri: t.Optional(t.String()),
  /** Where the answer goes: what somebody can recognise a client by that gives itself another’s name. */
  redirectHost: t.String(),
  resource: t.String(),
  scopes: Scopes,
})
export type Consent = OutputOf<typeof Consent>

const TokenAnswer = t.Object({
  access_token: t.String(),
  token_type: t.Union([t.Literal('Bearer'), t.Literal('DPoP')]),
  expires_in: t.Integer(),
  refresh_token: t.String(),
  scope: t.String(),
})
export type TokenAnswer = OutputOf<typeof TokenAnswer>

const clientCredentials = {
  client_id: t.Optional(t.String({ maxLength: 2048 })),
  client_secret: t.Optional(t.String({ maxLength: 128 })),
}
const TokenForm = t.Object({
  grant_type: t.Optional(t.String({ maxLength: 64 })),
  code: t.Optional(t.String({ maxLength: 128 })),
  redirect_uri: t.Optional(t.String({ maxLength: 2048 })),
  code_verifier: t.Optional(t.String({ maxLength: 256 })),
  refresh_token: t.Optional(t.String({ maxLength: 128 })),
  scope: t.Optional(t.String({ maxLength: 2048 })),
  resource: t.Optional(t.String({ maxLength: 2048 })),
  ...clientCredentials,
})
export type TokenForm = OutputOf<typeof TokenForm>

/** Something that an account has allowed a client. */
const Grant = t.Object({
  grantId: t.String(),
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
export type Grant = OutputOf<typeof Grant>

/**
 * The authorization server for agents (OAuth 2.1): a program asks, its user agrees on a page, and it gets tokens for
 * one resource. All of it answers 404 until `authorizationServer` is configured.
 */
export const oauth2Contract = {
  getOAuth2Authorize: allow.optional(
    route
      .get('/_auth/oauth2/authorize')
      .input({ query: AuthorizationFields })
      .answer(Consent, 200, 302)
      .errors(OAuth2Error, NotFoundError, TooManyRequestsError, ServiceUnavailableError)
      .describe({
        summary:
          'Where a client sends a browser: it is passed on to the consent page, which asks with a signature what to show.',
      }),
  ),
  createOAuth2AuthorizationCode: allow.stepUp(
    route
      .post('/_auth/oauth2/authorize')
      .input({
        body: t.Object({
          ...authorizationFields,
          decision: t.Union([t.Literal('allow'), t.Literal('deny')]),
        }),
      })
      .answer(t.Object({ redirectTo: t.String() }))
      .errors(
        OAuth2Error,
        NotFoundError,
        StepUpRequiredError,
        TooManyRequestsError,
        ServiceUnavailableError,
      )
      .describe({
        summary:
          'Allows a client what it asks for, or does not: where to send the browser with the answer.',
      }),
  ),
  oauth2Token: allow.public(
    route
      .post('/_auth/oauth2/token')
      .input({ form: TokenForm })
      .answer(TokenAnswer)
      .errors(OAuth2Error, NotFoundError)
      .describe({ summary: 'Tokens for a code, or for a refresh token.' }),
  ),
  oauth2Revoke: allow.public(
    route
      .post('/_auth/oauth2/revoke')
      .input({
        form: t.Object({
          token: t.Optional(t.String({ maxLength: 128 })),
          token_type_hint: t.Optional(t.String({ maxLength: 64 })),
          ...clientCredentials,
        }),
      })
      .answer(t.Object({}))
      .errors(OAuth2Error, NotFoundError)
      .describe({
        summary:
          'Ends the grant that a token is of. A token that is not known is no failure (RFC 7009).',
      }),
  ),
  listOAuth2Grants: allow.bearer(
    route
      .get('/_auth/oauth2/grants')
      .answer(t.Object({ grants: t.Array(Grant) }))
      .errors(NotFoundError)
      .describe({ summary: 'What the caller has allowed to which clients.' }),
  ),
  revokeOAuth2Grant: allow.bearer(
    route
      .delete('/_auth/oauth2/grants/:grantId')
      .input({ params: t.Object({ grantId: t.String({ maxLength: 64 }) }) })
      .answer(t.Object({ grantId: t.String() }))
      .errors(NotFoundError)
      .describe({ summary: 'Takes it back. Its tokens open nothing from the next request on.' }),
  ),
}
