import {
  type AuthorizationRequest,
  type CodeExchange,
  ProviderRefusalError,
  type ProviderTokens,
} from './provider.ts'
import type { WebClient } from './provider-settings.ts'

/** The page that a browser is sent to (OpenID Connect Core 3.1.2.1), with PKCE. */
export function openIdUrl(
  endpoint: string,
  { clientId, scopes }: Pick<WebClient, 'clientId' | 'scopes'>,
  { redirectUri, state, nonce, codeChallenge }: AuthorizationRequest,
) {
  const url = new URL(endpoint)
  url.searchParams.set('response_type', 'code')
  url.searchParams.set('client_id', clientId)
  url.searchParams.set('redirect_uri', redirectUri)
  // Without `openid` there would be no id token.
  url.searchParams.set('scope', [...new Set(['openid', ...scopes])].join(' '))
  url.searchParams.set('state', state)
  url.searchParams.set('nonce', nonce)
  url.searchParams.set('code_challenge', codeChallenge)
  url.searchParams.set('code_challenge_method', 'S256')
  return url
}

/** What redeems a code (RFC 6749, 4.1.3; RFC 7636, 4.5): who asks comes with it. */
export function codeForm({ code, codeVerifier, redirectUri }: CodeExchange) {
  return {
    grant_type: 'authorization_code',
    code,
    code_verifier: codeVerifier,
    redirect_uri: redirectUri,
  }
}

export function refreshForm(refreshToken: string) {
  return { grant_type: 'refresh_token', refresh_token: refreshToken }
}

export function idTokenOf({ idToken }: ProviderTokens) {
  if (idToken !== undefined) return idToken
  throw new ProviderRefusalError('The provider gave no id token')
}
