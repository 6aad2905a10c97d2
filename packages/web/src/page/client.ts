import type { authApi } from '@svc/auth'
import { isOwnPath } from '@svc/core/client'

/** Where somebody goes after signing in: a path of this site, or `/` for whatever could lead elsewhere. */
export function returnPath(given: string | readonly string[] | undefined): string {
  if (typeof given !== 'string' || !isOwnPath(given)) return '/'
  // As it can stand in a header: a redirect to `/é` would be an error.
  return given.toWellFormed().replace(/[^!-~]+/g, encodeURIComponent)
}

type Contact = Pick<
  Awaited<ReturnType<typeof authApi.getAuthSession.call>>,
  'email' | 'emailVerified' | 'phone' | 'phoneVerified'
>

/** As `proveRecent` reads a code: the email address before the number. */
export function targetOf({ email, emailVerified, phone, phoneVerified }: Contact) {
  if (email && emailVerified) return { target: email, targetType: 'email' as const }
  if (phone && phoneVerified) return { target: phone, targetType: 'phone' as const }
  return null
}
