import type { authApi } from '@svc/auth'
import { isOwnPath } from '@svc/core/client'

export { chooseLanguage, languagesAskedFor } from './choose-language.ts'
export { isRefusedWith } from './refused-with.ts'

/**
 * Where to go after signing in: a path of this site, or `/` for a path that could lead elsewhere.
 */
export function returnPath(given: string | readonly string[] | undefined): string {
  if (typeof given !== 'string' || !isOwnPath(given)) return '/'
  // In the form that a header can have: a redirect to `/é` would be an error.
  return given.toWellFormed().replace(/[^!-~]+/g, encodeURIComponent)
}

type Contact = Pick<
  Awaited<ReturnType<typeof authApi.getAuthSession.call>>,
  'email' | 'emailVerified' | 'phone' | 'phoneVerified'
>

/** In the order of `proveRecent`: the email address before the number. */
export function targetOf({ email, emailVerified, phone, phoneVerified }: Contact) {
  if (email && emailVerified) return { target: email, targetType: 'email' as const }
  if (phone && phoneVerified) return { target: phone, targetType: 'phone' as const }
  return null
}
