import { isOwnPath } from '@svc/core/client'

/** Where somebody goes after signing in: a path of this site, or `/` for whatever could lead elsewhere. */
export function returnPath(given: string | readonly string[] | undefined): string {
  if (typeof given !== 'string' || !isOwnPath(given)) return '/'
  // As it can stand in a header: a redirect to `/é` would be an error.
  return given.toWellFormed().replace(/[^!-~]+/g, encodeURIComponent)
}
