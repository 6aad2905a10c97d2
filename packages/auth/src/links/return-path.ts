import { ValidationError } from '@svc/core'
import { isOwnPath } from '@svc/core/client'

/** A path inside the app, so that a mailed link never leads elsewhere. */
export function readReturnPath(given: string | undefined): string | null {
  if (given === undefined) return null
  // Half a surrogate pair fits no column.
  if (isOwnPath(given) && given.isWellFormed()) return given
  const message = 'Give a path inside the app, such as /welcome.'
  throw new ValidationError({ fields: [{ path: 'body.returnPath', message }] })
}
