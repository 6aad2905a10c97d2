import { HttpError } from '@svc/core/contract'

/**
 * Any fault of a link that undoes a change. The class takes no arguments, so no response can tell
 * which.
 */
export class ContactUndoLinkError extends HttpError {
  readonly name = 'ContactUndoLinkError'
  readonly status = 404
}
