import { HttpError } from '@svc/core/contract'

/**
 * Any fault of a sign-out-everywhere link. The class takes no arguments, so no response can tell
 * which.
 */
export class RevokeAllLinkError extends HttpError {
  readonly name = 'RevokeAllLinkError'
  readonly status = 404
}
