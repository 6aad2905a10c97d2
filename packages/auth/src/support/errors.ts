import { HttpError } from '@svc/core/contract'

/**
 * The owner has not consented: there is no code, or it is wrong, used or has expired. Ask them for a new one.
 */
export class SupportCodeError extends HttpError {
  readonly name = 'SupportCodeError'
  readonly status = 401
}
