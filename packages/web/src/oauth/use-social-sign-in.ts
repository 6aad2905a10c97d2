import { authApi } from '@svc/auth'
import { useAction } from '../account/use-action.ts'
import { leavePage } from './leave-page.ts'

interface Options {
  /** A path of the app: where who is signed in goes then. `/` unless set. */
  returnUrl?: string
  /** What the API's `beforeRegister` and `auth.register` are given where an account is made. */
  metadata?: Record<string, unknown>
  api?: Pick<typeof authApi, 'getProviderOAuthUrl'>
}

/** Signs in with a provider: an action that takes its id, and leaves the page for the provider's. */
export function useSocialSignIn({ returnUrl = '/', metadata, api = authApi }: Options = {}) {
  return useAction(async (provider: string) => {
    const body = { returnUrl, ...(metadata && { metadata }) }
    const { authUrl } = await api.getProviderOAuthUrl.call({ params: { provider }, body })
    await leavePage(authUrl)
  })
}
