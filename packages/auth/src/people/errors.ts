import { HttpError } from '@svc/core/contract'

/** A link that keeps a second factor doesn't work. It takes no arguments, so no answer can tell why. */
export class FactorRemovalLinkError extends HttpError {
  readonly name = 'FactorRemovalLinkError'
  readonly status = 404
}
