import { HttpError } from '../errors/errors.ts'

/**
 * A server whose cache has lost its contents can't know whether a request was sent before, so it only accepts requests
 * that were signed after the loss. Two seconds ahead is after the loss, even in the same second. A request may be
 * signed up to 30 s ahead of the server's time, a device's proof up to 5 s.
 */
export const signAgainAheadMillis = 2_000

/** 503 with `Retry-After: 0`: nothing was done, and the same request is accepted when it is signed again. */
export function asksToSignAgain(error: unknown) {
  if (!(error instanceof HttpError) || error.status !== 503) return false
  const { retryAfter } = error as { retryAfter?: unknown } // a public field of ServiceUnavailableError
  return retryAfter === 0
}
