import { authApi } from '@svc/auth'
import { useAction } from '../account/account.ts'

interface UseSocialSignInOptions {
  /** A path of the app: where the user goes after the sign-in. `/` unless set. */
  returnUrl?: string
  /** What the API's `beforeRegister` and `auth.register` get if an account is made. */
  metadata?: Record<string, unknown>
  api?: Pick<typeof authApi, 'getProviderOAuthUrl'>
}

/** Signs in with a provider: an action that takes its id, and leaves the page for the provider's. */
export function useSocialSignIn({
  returnUrl = '/',
  metadata,
  api = authApi,
}: UseSocialSignInOptions = {}) {
  return useAction(async (provider: string) => {
    const body = { returnUrl, ...(metadata && { metadata }) }
    const { authUrl } = await api.getProviderOAuthUrl.call({ params: { provider }, body })
    await leavePage(authUrl)
  })
}

// Long enough for a provider to answer, and longer than users wait.
const patienceMillis = 10_000

/**
 * Leaves the page. Resolves if the page is still there, or when the user comes back to it. A second
 * start before that would replace the cookie of the first one.
 */
export function leavePage(url: string) {
  location.assign(url)
  return new Promise<void>((resolve) => {
    addEventListener('pageshow', () => resolve(), { once: true })
    setTimeout(resolve, patienceMillis)
  })
}
