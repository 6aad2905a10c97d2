import { HttpError } from '@svc/core/contract'

/** Any fault of a link that undoes a change. It takes no arguments, so no answer can tell which. */
export class ContactUndoLinkError extends HttpError {
  readonly name = 'ContactUndoLinkError'
  readonly status = 404
}
