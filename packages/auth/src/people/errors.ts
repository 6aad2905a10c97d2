import { HttpError } from '@svc/core/contract'

/** Whatever is wrong with a link that keeps a second factor. It takes no arguments, so no answer can tell what. */
export class FactorRemovalLinkError extends HttpError {
  readonly name = 'FactorRemovalLinkError'
  readonly status = 404
}
