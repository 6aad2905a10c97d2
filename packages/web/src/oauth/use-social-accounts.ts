import { authApi, type SocialAccountItem } from '@svc/auth'
import { useState } from 'react'
import { useAction, useInitialLoad } from '../account/account.ts'

interface UseSocialAccountsOptions {
  /** What the server found when it rendered the page. */
  initial?: SocialAccountItem[]
  /** Where linking returns to, with `?linked=<provider>`: this page unless set. */
  returnUrl?: string
  /** An account was unlinked. */
  onChanged?: () => void
  api?: Pick<typeof authApi, 'listSocialAccounts' | 'linkSocialAccount' | 'unlinkSocialAccount'>
}

/**
 * The provider accounts that can sign in to the signed-in user's account. `linking` and `unlinking`
 * take the id of a provider. `linking` leaves the page for the provider's.
 */
export function useSocialAccounts({
  initial,
  returnUrl,
  onChanged,
  api = authApi,
}: UseSocialAccountsOptions = {}) {
  const [accounts, setAccounts] = useState<SocialAccountItem[] | null>(initial ?? null)
  const loading = useAction(async () => {
    setAccounts((await api.listSocialAccounts.call({ body: {} })).accounts)
  })
  const linking = useAction(async (provider: string) => {
    const body = { provider, returnUrl: returnUrl ?? location.pathname }
    const { authUrl } = await api.linkSocialAccount.call({ body })
    await leavePage(authUrl)
  })
  const unlinking = useAction(async (provider: string) => {
    await api.unlinkSocialAccount.call({ body: { provider } })
    setAccounts((before) => before?.filter((each) => each.provider !== provider) ?? null)
    onChanged?.()
    return provider
  })

  const { run: load } = loading
  useInitialLoad(load, initial)

  return { accounts, loading, linking, unlinking, reload: load }
}

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
function leavePage(url: string) {
  location.assign(url)
  return new Promise<void>((resolve) => {
    addEventListener('pageshow', () => resolve(), { once: true })
    setTimeout(resolve, patienceMillis)
  })
}
