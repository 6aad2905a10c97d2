import type { AuthorizationRequest, CodeExchange } from '../openid/provider.ts'
import type { WebClient } from '../openid/provider-settings.ts'

/** The page that a browser is sent to for a code (RFC 6749, 4.1.1), of a provider that says nothing by an id token. */
export function codePage(
  endpoint: string,
  { clientId }: WebClient,
  { redirectUri, state }: AuthorizationRequest,
) {
  const url = new URL(endpoint)
  url.searchParams.set('response_type', 'code')
  url.searchParams.set('client_id', clientId)
  url.searchParams.set('redirect_uri', redirectUri)
  url.searchParams.set('state', state)
  return url
}

/** What a code is redeemed with (RFC 6749, 4.1.3). */
export function redemptionOf({ clientId, clientSecret }: WebClient, exchange: CodeExchange) {
  return {
    grant_type: 'authorization_code',
    client_id: clientId,
    // Kakao has clients without one.
    ...(clientSecret !== undefined && { client_secret: clientSecret }),
    code: exchange.code,
    redirect_uri: exchange.redirectUri,
  }
}
