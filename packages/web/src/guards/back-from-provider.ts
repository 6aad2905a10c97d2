import { headers } from 'next/headers.js'
import { pendingOAuth } from '../auth-operations/oauth-pending.ts'
import { sharedWebAuth } from '../web-auth.ts'

/**
 * Whether the browser that asks for the page has set out to a provider and has not finished. Without that there is
 * nothing for `OAuthCallback` to finish.
 */
export async function isBackFromProvider(): Promise<boolean> {
  const { cookies } = sharedWebAuth()
  return cookies.valueOf((await headers()).get('cookie'), pendingOAuth.name) !== null
}
