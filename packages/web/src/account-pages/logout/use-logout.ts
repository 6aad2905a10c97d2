import { authApi } from '@svc/auth'
import { useState } from 'react'
import { useAction } from '../../account/account.ts'
import type { LogoutFacts } from '../../logout/logout.ts'
import { isRefusedWith } from '../../page/client.ts'
import { requireKey } from '../consent/use-consent.ts'
import { usePaths } from '../provider/account-provider.tsx'

/** Signs out the session that the page was rendered for, and then leaves for the application. `goingTo` is where. */
export function useLogout({ keyId, redirectTo }: Pick<LogoutFacts, 'keyId' | 'redirectTo'>) {
  const paths = usePaths()
  const [goingTo, setGoingTo] = useState<string | null>(null)
  const signingOut = useAction(async () => {
    if (!(await isSignedOut(keyId))) return location.reload()
    if (redirectTo !== undefined) setGoingTo(redirectTo)
    location.assign(redirectTo ?? paths.home)
  })
  return { goingTo, signingOut }
}

/**
 * False if the call has no session. Either the user has signed out in another tab, or the browser must prove the session
 * first. Only the server can tell, so the page is opened again.
 */
async function isSignedOut(keyId: string) {
  try {
    // If another account has signed in since, the user was not asked about it.
    await requireKey(keyId)
    await authApi.logout.call()
    return true
  } catch (error) {
    if (!isRefusedWith(error, 'UnauthorizedError')) throw error
    return false
  }
}
