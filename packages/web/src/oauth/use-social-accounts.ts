import { authApi, type SocialAccountItem } from '@svc/auth'
import { useState } from 'react'
import { useAction } from '../account/use-action.ts'
import { useInitialLoad } from '../account/use-initial-load.ts'
import { leavePage } from './leave-page.ts'

interface Options {
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
export function useSocialAccounts({ initial, returnUrl, onChanged, api = authApi }: Options = {}) {
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
