import { HttpError } from '../errors/http-error.ts'

/**
 * A server whose cache has lost what it held cannot say whether a request was sent before, so it takes what was signed
 * after that. Two seconds ahead is after that also within the second of the loss; a request may be signed up to 30 s
 * ahead of the server's time, a proof of a device 5 s.
 */
export const signAgainAheadMillis = 2_000

/** 503 with `Retry-After: 0`: nothing was done, and the same request signed again is taken. */
export function asksToSignAgain(error: unknown) {
  if (!(error instanceof HttpError) || error.status !== 503) return false
  const { retryAfter } = error as { retryAfter?: unknown } // a public field of ServiceUnavailableError
  return retryAfter === 0
}
