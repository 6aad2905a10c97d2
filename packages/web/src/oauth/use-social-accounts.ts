import { authApi, type SocialAccountItem } from '@svc/auth'
import { useState } from 'react'
import { useAction, useInitialLoad } from '../account/account.ts'
import { leavePage } from './use-social-sign-in.ts'

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
