import type { authApi } from '@svc/auth'

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
