import { askProvider, ProviderUnavailableError } from './ask-provider.ts'
import {
  type AuthorizationRequest,
  type CodeExchange,
  ProviderRefusalError,
  type ProviderTokens,
} from './provider.ts'
import { fieldsOf, textOf } from './provider-fields.ts'
import type { ProviderSettings, WebClient } from './provider-settings.ts'

/** What the server is for a provider, where it is configured for the web: no way leads to it elsewhere. */
export function webClientOf({ web }: ProviderSettings): WebClient {
  if (web) return web
  throw new Error('The provider is not configured for sign-in on the web')
}

/** The page that a browser is sent to for a code (RFC 6749, 4.1.1). */
export function authorizationUrl(
  endpoint: string,
  { clientId }: Pick<WebClient, 'clientId'>,
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

/** Asks a token endpoint for tokens (RFC 6749, 5). */
export async function askForTokens(
  endpoint: string,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<ProviderTokens> {
  const { status, json } = await askProvider(endpoint, { form, headers })
  const host = URL.parse(endpoint)?.host
  const answer = fieldsOf(json)
  // GitHub and Naver refuse with 200.
  if (status >= 400 || answer['error'] !== undefined) {
    const code = errorCode(answer['error'])
    throw new ProviderRefusalError(`${host} gave no tokens: ${status} ${code}`)
  }
  const accessToken = textOf(answer['access_token'])
  if (accessToken === undefined) throw new ProviderUnavailableError(`${host} answered no tokens`)
  const refreshToken = textOf(answer['refresh_token'])
  const idToken = textOf(answer['id_token'])
  const expiresInSeconds = seconds(answer['expires_in'])
  return {
    accessToken,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(idToken !== undefined && { idToken }),
    ...(expiresInSeconds !== null && { expiresInSeconds }),
  }
}

/** What the RFC lets it be: anything else does not belong in the log. */
function errorCode(error: unknown) {
  return typeof error === 'string' && /^[\w.-]{1,64}$/.test(error) ? error : ''
}

/** As a number; Naver writes it as text. */
function seconds(value: unknown) {
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && number > 0 && number < 1e9 ? number : null
}
