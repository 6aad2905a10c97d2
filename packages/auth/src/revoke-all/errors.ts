import { HttpError } from '@svc/core/contract'

/** Whatever is wrong with a sign-out-everywhere link. It takes no arguments, so no answer can tell what. */
export class RevokeAllLinkError extends HttpError {
  readonly name = 'RevokeAllLinkError'
  readonly status = 404
}
