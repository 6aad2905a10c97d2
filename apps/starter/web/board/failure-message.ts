import { ApiUnreachableError, HttpError, ValidationError } from '@svc/core/client'

/** What a person can do about a call that failed. */
export function failureMessage(error: unknown) {
  if (error instanceof ValidationError) return 'A notice has 1 to 500 characters.'
  if (error instanceof ApiUnreachableError || !(error instanceof HttpError)) {
    return 'The web app cannot be reached. Your text is still here: check the connection.'
  }
  if (error.status === 503) {
    return 'The API does not answer right now. Your text is still here: post it again in a moment.'
  }
  return `The API refused the notice: ${error.message}`
}
