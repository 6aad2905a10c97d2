import { HttpError } from '@svc/core/contract'

/** Whatever is wrong with a link that takes a change back. It takes no arguments, so no answer can tell what. */
export class ContactUndoLinkError extends HttpError {
  readonly name = 'ContactUndoLinkError'
  readonly status = 404
}
