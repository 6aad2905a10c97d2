import { HttpError } from '@svc/core/contract'

/**
 * Any fault of a link that undoes a change. The class takes no arguments, so no response can tell
 * which.
 */
export class ContactUndoLinkError extends HttpError {
  static override readonly defaultMessage =
    'This link was used, has expired or is incomplete. If the account is yours, reset its password.'
  readonly name = 'ContactUndoLinkError'
  readonly status = 404
}
