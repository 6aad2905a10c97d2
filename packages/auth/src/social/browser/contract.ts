import { NotFoundError, type OutputOf, route, t } from '@svc/core/contract'
import {
  AccountDisabledError,
  AccountPendingDeletionError,
  InvalidCredentialsError,
} from '../../accounts/errors.ts'
import { allow, KeyedLoginResult } from '../../capability/contract.ts'
import { keyFields, keyRefusals } from '../../capability/fields.ts'
import { limitRefusals } from '../../limits/contract.ts'
import { OAuthPendingSessionError, WebSignInUnsupportedError } from '../errors.ts'

/** A path of the web app. */
export const returnUrl = t.String({ maxLength: 2048 })
const whereTo = t.String({
  maxLength: 2048,
  description: 'The page of the web app to return to.',
})
const metadata = t.Optional(t.Record(t.String(), t.Unknown()))
/**
 * The nonce in the browser's cookie, by which the callback recognises the browser. The web proxy
 * makes it.
 */
const nonce = t.Optional(t.String({ pattern: '^[A-Za-z0-9_-]{43}$' }))
const params = t.Object({
  provider: t.String({ description: 'The id of a provider, such as `google`.' }),
})

/** The page of the provider to which the browser must go. */
export const AuthorizationUrl = t.Object({ authUrl: t.String() })

/** All of a new device's key, or none of it: then `finalize` takes the key. */
const { publicKey, keyId, fingerprint, algorithm, ...display } = keyFields
const laterKey = {
  publicKey: t.Optional(publicKey),
  keyId: t.Optional(keyId),
  fingerprint: t.Optional(fingerprint),
  algorithm: t.Optional(algorithm),
  ...display,
}

const Departure = t.Object({ returnUrl, metadata, nonce, ...laterKey })
export type Departure = OutputOf<typeof Departure>

const departureRefusals = [WebSignInUnsupportedError, ...keyRefusals, ...limitRefusals] as const

/** Signing in with a provider in a browser. */
export const browserOperations = {
  providers: allow.public('uncounted')(
    route
      .get('/_auth/oauth/providers')
      .answer(
        t.Object({
          providers: t.Array(t.Object({ id: t.String(), web: t.Boolean(), native: t.Boolean() })),
        }),
      )
      .describe({
        summary: 'Lists the providers to sign in with, in browsers and in apps.',
      }),
  ),
  getGoogleOAuthUrl: allow.public('oauth by address')(
    route
      .post('/_auth/oauth/google/url')
      .input({ body: Departure })
      .answer(AuthorizationUrl)
      .errors(...departureRefusals)
      .describe({ summary: 'Returns the address to send a browser to, to sign in with Google.' }),
  ),
  getProviderOAuthUrl: allow.public('oauth by address')(
    route
      .post('/_auth/oauth/:provider/url')
      .input({ params, body: Departure })
      .answer(AuthorizationUrl)
      .errors(NotFoundError, ...departureRefusals)
      .describe({
        summary: 'Returns the address to send a browser to, to sign in with a provider.',
      }),
  ),
  start: allow.public('oauth by address')(
    route
      .post('/_auth/oauth/start')
      .input({
        body: t.Object({ provider: t.String(), returnUrl, metadata, ...keyFields }),
      })
      .answer(AuthorizationUrl)
      .errors(NotFoundError, ...departureRefusals)
      .describe({
        summary: 'Does the same without a web proxy: the API sets the cookie.',
      }),
  ),
  redirectToProvider: allow.public('oauth by address')(
    route
      .get('/_auth/oauth/:provider')
      .input({ params, query: t.Object({ returnUrl: t.Optional(whereTo) }) })
      .answer(t.Null(), 302)
      .errors(NotFoundError, WebSignInUnsupportedError, ...limitRefusals)
      .describe({
        summary: 'Redirects the browser to the provider, for a plain link.',
      }),
  ),
  // Over the limit, the browser gets a page, so the handler counts.
  oauthCallback: allow.public('uncounted')(
    route
      .get('/_auth/oauth/:provider/callback')
      .input({
        params,
        query: t.Object({
          // Of any type, so that a browser with any address gets to the error page.
          state: t.Optional(t.Unknown({ description: 'The state that the provider returns.' })),
          code: t.Optional(t.Unknown({ description: 'The code to exchange for tokens.' })),
          error: t.Optional(t.Unknown({ description: 'Why there is no code.' })),
        }),
      })
      .answer(t.Null(), 302)
      .errors(NotFoundError, WebSignInUnsupportedError)
      .describe({ summary: 'The callback: the provider sends the browser back here.' }),
  ),
  finalize: allow.public('oauth by address')(
    route
      .post('/_auth/oauth/finalize')
      .input({
        body: t.Object({
          returnUrl: t.Optional(returnUrl),
          pendingToken: t.Optional(t.String({ maxLength: 128 })),
          ...laterKey,
        }),
      })
      .answer(t.Object({ ...KeyedLoginResult.properties, returnUrl: t.String() }), 200, 202)
      .errors(
        OAuthPendingSessionError,
        InvalidCredentialsError,
        AccountDisabledError,
        AccountPendingDeletionError,
        ...keyRefusals,
        ...limitRefusals,
      )
      .describe({
        summary: 'Signs in the user who returned, and registers the key of the device.',
      }),
  ),
}
