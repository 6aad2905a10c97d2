import { HttpError } from '@svc/core/contract'

/** Any fault of a sign-out-everywhere link. It takes no arguments, so no answer can tell which. */
export class RevokeAllLinkError extends HttpError {
  readonly name = 'RevokeAllLinkError'
  readonly status = 404
}
