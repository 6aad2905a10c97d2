import { HttpError } from '@svc/core/contract'

/** The link is unknown, used, replaced or expired. It takes no arguments, so no answer can tell which. */
export class InvalidMagicLinkError extends HttpError {
  readonly name = 'InvalidMagicLinkError'
  readonly status = 401
}
