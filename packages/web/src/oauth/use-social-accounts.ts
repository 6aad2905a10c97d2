import { authApi, type SocialAccountItem } from '@svc/auth'
import { useState } from 'react'
import { useAction, useInitialLoad } from '../account/account.ts'

interface UseSocialAccountsOptions {
  /** What the server found when it rendered the page. */
  initial?: SocialAccountItem[]
  /** Where linking leads back to, with `?linked=<provider>`: this page unless set. */
  returnUrl?: string
  /** One is unlinked. */
  onChanged?: () => void
  api?: Pick<typeof authApi, 'listSocialAccounts' | 'linkSocialAccount' | 'unlinkSocialAccount'>
}

/**
 * The accounts elsewhere that sign in to the account of whoever is signed in. `linking` and `unlinking` take the id of a
 * provider; the first leaves the page for the provider's.
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
  /** A path of the app: where who is signed in goes then. `/` unless set. */
  returnUrl?: string
  /** What the API's `beforeRegister` and `auth.register` are given where an account is made. */
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

// What a provider needs to answer, and longer than anybody waits.
const patienceMillis = 10_000

/**
 * Goes elsewhere. Resolves where the page is still there, or there once more by the way back: until then, who sets out a
 * second time would take the first one's cookie away.
 */
function leavePage(url: string) {
  location.assign(url)
  return new Promise<void>((resolve) => {
    addEventListener('pageshow', () => resolve(), { once: true })
    setTimeout(resolve, patienceMillis)
  })
}
