import type { Needs } from '../auth.ts'
import { hashToken, newToken } from '../crypto/token.ts'

/**
 * A page of the app with a new token in its query, and what a row keeps of the token. The address is the configured one,
 * never taken from a request's headers.
 */
export function mintLink({ appUrl }: Needs<'appUrl'>, path: string) {
  const token = newToken()
  const url = new URL(path, appUrl)
  url.searchParams.set('token', token)
  return { url: url.href, tokenHash: hashToken(token) }
}
