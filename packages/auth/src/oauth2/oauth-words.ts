import { HttpError } from '@svc/core'
import { OAuth2Error, type OAuth2ErrorCode } from './errors.ts'

const codes = new Map<number, OAuth2ErrorCode>([
  [429, 'slow_down'],
  [503, 'temporarily_unavailable'],
])

/**
 * Clients of the protocol read `error`, a word from its list, and nothing of ours. So a refusal of
 * the framework is converted.
 */
export function inOAuthWords(error: unknown) {
  if (!(error instanceof HttpError) || error instanceof OAuth2Error) return error
  // Neither a wrong signature nor a missing route has a word in OAuth.
  if ([401, 403, 404].includes(error.status)) return error
  const retryAfter = 'retryAfter' in error ? (error.retryAfter as number) : undefined
  return new OAuth2Error({
    error: codes.get(error.status) ?? 'invalid_request',
    message: error.message,
    ...(retryAfter !== undefined && { retryAfter }),
  })
}
