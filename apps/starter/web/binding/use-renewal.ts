import { authApi } from '@svc/auth'
import { UnauthorizedError } from '@svc/core/client'
import { useAction, useSessionRenewal } from '@svc/web/react'
import { useEffect, useState } from 'react'
import { useSignedIn } from '../sign-in/use-signed-in.ts'

/** What a bound session goes on by, whether there is one in this browser, and whether a passkey was used. */
export function useRenewal(returnTo: string) {
  const { isSupported, renewing } = useSessionRenewal({ onAnswer: useSignedIn(returnTo) })
  const [isUnused, setUnused] = useState(false)
  // The proxy refuses it where the browser has no session.
  const { run: look, error } = useAction(() => authApi.sessionRenewOptions.call({ body: {} }))
  useEffect(() => void look(), [look])

  async function renew() {
    setUnused(false)
    setUnused((await renewing.run()) === false)
  }

  return {
    isSupported,
    hasNone: error instanceof UnauthorizedError,
    isUnused,
    error: renewing.error,
    isRunning: renewing.isRunning,
    renew: () => void renew(),
  }
}
