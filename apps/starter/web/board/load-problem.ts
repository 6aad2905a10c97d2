import { HttpError, ValidationError } from '@svc/core/client'

export type LoadProblem = 'no answer' | 'error'

/** Whether the API is down, or answers with an error. */
export function loadProblem(error: unknown): LoadProblem {
  // The proxy and the client also throw 503 if the API doesn't answer.
  return error instanceof HttpError && error.status !== 503 ? 'error' : 'no answer'
}

/** The API no longer accepts this device's key: it was revoked, or has expired. */
export function isSignedOut(error: unknown) {
  return error instanceof HttpError && error.status === 401
}

/** What a person can do about a notice that was not posted. */
export function failureMessage(error: unknown) {
  if (isSignedOut(error)) return 'You are signed out on this device.'
  if (error instanceof ValidationError) return 'A notice has 1 to 500 characters.'
  if (!(error instanceof HttpError) || error.status === 503) {
    return 'The API does not answer right now. Your text is still here. Post it again in a moment.'
  }
  return `The API refused the notice: ${error.message}`
}
