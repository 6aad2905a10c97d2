import type { Clock } from '@svc/core'
import type { Endpoints } from './endpoints.ts'
import { askProvider, type KeySets, ProviderUnavailableError } from './openid/openid.ts'
import {
  type AuthorizationRequest,
  type CodeExchange,
  type ProviderIdentity,
  ProviderRefusalError,
  type ProviderTokens,
} from './provider.ts'
import type { ProviderSettings, WebClient } from './provider-settings.ts'

/** What a built-in provider needs. */
export interface ProviderNeeds {
  readonly settings: ProviderSettings
  readonly endpoints: Endpoints
  readonly keys: KeySets
  readonly clock: Clock
}

/** The page that gives a browser a code (RFC 6749, 4.1.1), for a provider without id tokens. */
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

/** The fields that redeem a code (RFC 6749, 4.1.3). */
export function redemptionOf({ clientId, clientSecret }: WebClient, exchange: CodeExchange) {
  return {
    grant_type: 'authorization_code',
    client_id: clientId,
    // Kakao has clients without a secret.
    ...(clientSecret !== undefined && { client_secret: clientSecret }),
    code: exchange.code,
    redirect_uri: exchange.redirectUri,
  }
}

interface TokenRequest {
  readonly form: Record<string, string>
  readonly headers?: Record<string, string>
}

/** Requests tokens from a token endpoint (RFC 6749, 5). */
export async function askTokens(
  tokenEndpoint: string,
  request: TokenRequest,
): Promise<ProviderTokens> {
  const { status, json } = await askProvider(tokenEndpoint, request)
  const host = URL.parse(tokenEndpoint)?.host
  const answer: Record<string, unknown> =
    typeof json === 'object' && json !== null ? { ...json } : {}
  // GitHub and Naver refuse with a status of success.
  if (status >= 400 || answer['error'] !== undefined) {
    const code = errorCode(answer['error'])
    throw new ProviderRefusalError(`${host} gave no tokens: ${status} ${code}`, code)
  }
  const { access_token: accessToken, refresh_token: refreshToken, id_token: idToken } = answer
  if (typeof accessToken !== 'string' || accessToken === '') {
    throw new ProviderUnavailableError(`${host} answered without tokens`)
  }
  const expiresInSeconds = seconds(answer['expires_in'])
  return {
    accessToken,
    ...(typeof refreshToken === 'string' && { refreshToken }),
    ...(typeof idToken === 'string' && { idToken }),
    ...(expiresInSeconds !== null && { expiresInSeconds }),
  }
}

/** A value that doesn't look like one must not get into the log. */
function errorCode(error: unknown) {
  return typeof error === 'string' && /^[a-zA-Z0-9_.-]{1,40}$/.test(error) ? error : ''
}

/** As a number or, from Naver, as text. */
function seconds(value: unknown) {
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && number > 0 && number < 1e9 ? number : null
}

/** Requests a resource with an access token. */
export function askAsUser(address: string, accessToken: string) {
  // An app may have sent any text, and this goes into a header.
  if (!/^[\x21-\x7e]{1,8192}$/.test(accessToken)) {
    throw new ProviderRefusalError('The access token is none')
  }
  return askProvider(address, { headers: { authorization: `Bearer ${accessToken}` } })
}

/**
 * The user of the access token that an app has sent with the id token of `sub`. Null if it is
 * another user's, or if the provider does not say: then it counts as not sent.
 */
export async function ownIdentity(sub: string, lookUp: () => Promise<ProviderIdentity>) {
  try {
    const identity = await lookUp()
    return identity.providerUserId === sub ? identity : null
  } catch (error) {
    const isExpected =
      error instanceof ProviderRefusalError || error instanceof ProviderUnavailableError
    if (isExpected) return null
    throw error
  }
}

/** The members of a provider's response; none if it is no object. */
export function fieldsOf(json: unknown): Record<string, unknown> {
  return typeof json === 'object' && json !== null ? { ...json } : {}
}

// Longer than any name or address that a provider gives.
const longest = 1024

export function textOf(value: unknown) {
  return typeof value === 'string' && value !== '' && value.length <= longest ? value : undefined
}

/**
 * The number by which a provider identifies a user. One that JSON has rounded might be another
 * user's.
 */
export function numberOf(value: unknown) {
  const isNumber = typeof value === 'number' && Number.isSafeInteger(value) && value > 0
  return isNumber ? String(value) : undefined
}

/**
 * A field that was sent once. If it was sent twice, another reader may take the other value. Then
 * it is empty, as if not sent.
 */
export function onlyField(fields: URLSearchParams, name: string) {
  const [value = '', ...more] = fields.getAll(name)
  return more.length === 0 ? value : ''
}
