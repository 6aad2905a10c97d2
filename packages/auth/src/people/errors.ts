import { HttpError } from '@svc/core/contract'

/** A link that keeps a second factor doesn't work. It takes no arguments, so no answer can tell why. */
export class FactorRemovalLinkError extends HttpError {
  static override readonly defaultMessage =
    'This link was used, has expired or is incomplete. Sign in to see your second factors.'
  readonly name = 'FactorRemovalLinkError'
  readonly status = 404
}
