import { HttpError } from '@svc/core/contract'

/**
 * The owner has not consented: there is no code, or it is wrong, used or has expired. Ask them for a new one.
 */
export class SupportCodeError extends HttpError {
  static override readonly defaultMessage =
    'The support code is missing or wrong, was used or has expired. Ask the owner for a new one.'
  readonly name = 'SupportCodeError'
  readonly status = 401
}
