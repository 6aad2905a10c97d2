import {
  defineRouter,
  NotFoundError,
  type RawContext,
  route,
  t,
  UnauthorizedError,
} from '@svc/core'
import { perMinute } from '../../limits/contract.ts'
import { authorizationServerOf } from '../authorization-server.ts'
import { assertionAlgorithms, clientAuthMethods } from '../clients/clients.ts'
import { dpopAlgorithms } from '../dpop/dpop.ts'
import { agentServiceOf } from '../verify-access-token.ts'
import { endsSessions } from './end-session.ts'
import { logoutRoutes } from './logout-routes.ts'
import { openidOf } from './openid-of.ts'
import { prompts, signInScopes } from './sign-in-request.ts'
import { readUserinfo } from './userinfo.ts'

const cached = { 'cache-control': 'public, max-age=300' }

const texts = t.Array(t.String())

const ProviderMetadata = t.Object({
  issuer: t.String(),
  authorization_endpoint: t.String(),
  token_endpoint: t.String(),
  userinfo_endpoint: t.String(),
  revocation_endpoint: t.String(),
  end_session_endpoint: t.Optional(t.String()),
  jwks_uri: t.String(),
  scopes_supported: texts,
  claims_supported: texts,
  response_types_supported: texts,
  response_modes_supported: texts,
  grant_types_supported: texts,
  subject_types_supported: texts,
  prompt_values_supported: texts,
  id_token_signing_alg_values_supported: texts,
  token_endpoint_auth_methods_supported: texts,
  token_endpoint_auth_signing_alg_values_supported: texts,
  code_challenge_methods_supported: texts,
  dpop_signing_alg_values_supported: texts,
  authorization_response_iss_parameter_supported: t.Boolean(),
  backchannel_logout_supported: t.Boolean(),
  backchannel_logout_session_supported: t.Boolean(),
  claims_parameter_supported: t.Boolean(),
  request_parameter_supported: t.Boolean(),
  request_uri_parameter_supported: t.Boolean(),
})

const KeySet = t.Object({ keys: t.Array(t.Record(t.String(), t.Unknown())) })

const UserinfoAnswer = t.Object({
  sub: t.String(),
  name: t.Optional(t.String()),
  preferred_username: t.Optional(t.String()),
  email: t.Optional(t.String()),
  email_verified: t.Optional(t.Boolean()),
})

function providerMetadata(auth: ReturnType<typeof openidOf>) {
  const { issuer } = authorizationServerOf(auth)
  const at = (path: string) => `${issuer}/_auth/oauth2/${path}`
  const algorithms = auth.openid.keys.map(({ algorithm }) => algorithm)
  return {
    issuer,
    authorization_endpoint: at('authorize'),
    token_endpoint: at('token'),
    userinfo_endpoint: at('userinfo'),
    revocation_endpoint: at('revoke'),
    ...(endsSessions(auth) && { end_session_endpoint: at('logout') }),
    jwks_uri: at('jwks'),
    scopes_supported: [...signInScopes.keys()],
    claims_supported: claims,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code'],
    subject_types_supported: ['public'],
    prompt_values_supported: [...prompts],
    id_token_signing_alg_values_supported: [...new Set(algorithms)],
    token_endpoint_auth_methods_supported: [...clientAuthMethods],
    token_endpoint_auth_signing_alg_values_supported: [...assertionAlgorithms],
    code_challenge_methods_supported: ['S256'],
    dpop_signing_alg_values_supported: [...dpopAlgorithms],
    authorization_response_iss_parameter_supported: true,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    claims_parameter_supported: false,
    request_parameter_supported: false,
    // Otherwise applications assume that it is.
    request_uri_parameter_supported: false,
  }
}

const claims =
  'iss sub aud iat exp auth_time nonce at_hash sid name preferred_username email email_verified'.split(
    ' ',
  )

const metadata = route
  .get('/.well-known/openid-configuration')
  .skip(['auth'])
  .errors(NotFoundError)
  .describe({ summary: 'Says where applications sign users in (OpenID Connect Discovery).' })
  .answer(ProviderMetadata)
  .handler((c) => c.json(providerMetadata(openidOf(c.raw)), 200, cached))

const keys = route
  .get('/_auth/oauth2/jwks')
  .skip(['auth'])
  .errors(NotFoundError)
  .describe({ summary: 'Returns the public keys of what this server signs (RFC 7517).' })
  .answer(KeySet)
  .handler((c) => c.json({ keys: publishedKeys(c.raw) }, 200, cached))

function publishedKeys({ server }: RawContext) {
  const { signingKeys } = agentServiceOf(server)
  if (!signingKeys) throw new NotFoundError({ resource: 'Route' })
  return signingKeys.map(({ published }) => ({ ...published }))
}

const summary = 'Says who the user of an access token is, to the application that it was issued to.'
// The server of an application asks once for each sign-in.
const mostUserinfo = perMinute(600)

const getUserinfo = route
  .get('/_auth/oauth2/userinfo')
  .skip(['auth'])
  .limit(mostUserinfo, 'by address')
  .errors(NotFoundError, UnauthorizedError)
  .describe({ summary })
  .answer(UserinfoAnswer)
  .handler((c) => readUserinfo(openidOf(c.raw), c.raw))

const postUserinfo = route
  .post('/_auth/oauth2/userinfo')
  .skip(['auth'])
  .limit(mostUserinfo, 'by address')
  .errors(NotFoundError, UnauthorizedError)
  .describe({ summary })
  .answer(UserinfoAnswer)
  .handler((c) => readUserinfo(openidOf(c.raw), c.raw))

// None of these is an operation: no device signs them.

export const openidMetadataRouter = defineRouter({ openidConfiguration: metadata })

/** What an application reads below our own paths. */
export const openidRouter = defineRouter(
  {
    openidKeys: keys,
    getOpenidUserinfo: getUserinfo,
    postOpenidUserinfo: postUserinfo,
    ...logoutRoutes,
  },
  { owns: '/_auth/' },
)
