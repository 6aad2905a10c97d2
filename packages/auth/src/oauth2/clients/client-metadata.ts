import { displayText } from '../../display-text.ts'
import type { AuthorizationServer } from '../authorization-server.ts'
import { OAuth2Error } from '../errors.ts'
import type { ClientMetadata } from './contract.ts'
import { isRedirectUri, redirectHost } from './redirect-uri.ts'

/** What is stored of a client's description of itself. */
export interface ClientFacts {
  name: string
  uri: string | null
  redirectUris: string[]
  isDpopBound: boolean
  hasDeviceGrant: boolean
}

export const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code'

interface Accepting extends Pick<AuthorizationServer, 'appSchemes' | 'deviceGrant'> {
  /** Whether the application lists the client for a grant without a browser: then it needs no other flow, and no redirect URI. */
  readonly isListed?: boolean
}

/** Throws if this server can't serve such a client. */
export function readMetadata(
  given: ClientMetadata & { client_id?: string },
  { appSchemes, deviceGrant, isListed = false }: Accepting,
): ClientFacts {
  const { redirect_uris = [], client_name, client_uri, grant_types } = given
  const { dpop_bound_access_tokens = false } = given
  const hasDeviceGrant = grant_types?.includes(deviceGrantType) ?? false
  if (given.jwks !== undefined && given.jwks_uri !== undefined) {
    throw unusable('A client has jwks or jwks_uri, not both.')
  }
  const asksOtherwise = isListed || (deviceGrant && hasDeviceGrant)
  const needsNoFlow = asksOtherwise && redirect_uris.length === 0
  if (!needsNoFlow) {
    checkFlow(given)
    checkRedirectUris(redirect_uris, appSchemes)
  }
  const [first = given.client_id] = redirect_uris
  return {
    name: displayText(client_name, 64) ?? nameAfter(first),
    uri: shownLink(client_uri),
    redirectUris: redirect_uris,
    isDpopBound: dpop_bound_access_tokens,
    hasDeviceGrant,
  }
}

function nameAfter(address: string | undefined) {
  if (address === undefined) throw unusable('A client without redirect_uris needs a client_name.')
  return redirectHost(address)
}

/** Other flows that a client supports do no harm: the response tells it that it has this one. */
function checkFlow({ grant_types, response_types }: ClientMetadata) {
  if (grant_types && !grant_types.includes('authorization_code')) {
    throw unusable('With redirect_uris, the grant_types include authorization_code.')
  }
  if (response_types && !response_types.includes('code')) {
    throw unusable('The response_types are code.')
  }
}

function checkRedirectUris(uris: readonly string[], appSchemes: readonly string[]) {
  if (uris.length === 0 || uris.length > 10) {
    throw refusedUri('A client has one to ten redirect_uris.')
  }
  if (uris.every((uri) => isRedirectUri(uri, appSchemes))) return
  throw refusedUri(
    'A redirect URI is https, http on 127.0.0.1, [::1] or localhost, or has a scheme like com.example.app; ' +
      'it has no fragment, no user, and is written in its normal form, such as https://app.example.com/.',
  )
}

/**
 * A link that users see on the consent page. It decides nothing, so one that can't be shown is left
 * out.
 */
function shownLink(uri: string | undefined) {
  const url = uri === undefined ? null : URL.parse(uri)
  return url?.protocol === 'https:' && !url.username && !url.password ? url.href : null
}

function refusedUri(message: string) {
  return new OAuth2Error({ error: 'invalid_redirect_uri', message })
}

export function unusable(message: string) {
  return new OAuth2Error({ error: 'invalid_client_metadata', message })
}
