import { ValidationError } from '@svc/core'
import { isOwnPath } from '@svc/core/client'

/** A path of the web app, so that a sign-in never leads elsewhere. */
export function readReturnUrl(given: string) {
  if (isOwnPath(given) && given.isWellFormed()) return given
  const message = 'Give a path inside the app, such as /welcome.'
  throw new ValidationError({ fields: [{ path: 'body.returnUrl', message }] })
}
