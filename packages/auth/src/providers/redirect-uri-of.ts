import type { Needs } from '../auth.ts'
import type { RedirectUris } from '../openid/redirect-uris.ts'

/** A provider that the application has registered comes back to the app as well. */
export function redirectUriOf(
  { redirectUris, appUrl }: Needs<'appUrl'> & { redirectUris: RedirectUris },
  id: string,
) {
  const configured: Partial<Record<string, string>> = redirectUris
  return configured[id] ?? `${appUrl}/_auth/oauth/${id}/callback`
}
