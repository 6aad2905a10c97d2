import { askProvider, ProviderUnavailableError } from '../openid/ask-provider.ts'
import { ProviderRefusalError, type ProviderTokens } from '../openid/provider.ts'

interface TokenRequest {
  readonly form: Record<string, string>
  readonly headers?: Record<string, string>
}

/** Asks a token endpoint for tokens (RFC 6749, 5). */
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

/** Nothing that does not look like one belongs in the log. */
function errorCode(error: unknown) {
  return typeof error === 'string' && /^[a-zA-Z0-9_.-]{1,40}$/.test(error) ? error : ''
}

/** As a number or, as Naver has it, as text of one. */
function seconds(value: unknown) {
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && number > 0 && number < 1e9 ? number : null
}
