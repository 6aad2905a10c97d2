import type { Needs } from '../auth.ts'

/** A page of the app with the token in its query: on the configured address, never on a request's headers. */
export function linkUrl({ appUrl }: Needs<'appUrl'>, path: string, token: string) {
  const url = new URL(path, appUrl)
  url.searchParams.set('token', token)
  return url.href
}
