import { useState } from 'react'
import { useSessionRenewal } from '../../account/use-session-binding.ts'
import { useSignedIn } from '../sign-in/use-signed-in.ts'

/** What a bound session goes on by, and whether a passkey was used. */
export function useRenewal(returnTo: string) {
  const { isSupported, renewing } = useSessionRenewal({ onAnswer: useSignedIn(returnTo) })
  const [isUnused, setUnused] = useState(false)

  async function renew() {
    setUnused(false)
    setUnused((await renewing.run()) === false)
  }

  return {
    isSupported,
    isUnused,
    error: renewing.error,
    isRunning: renewing.isRunning,
    renew: () => void renew(),
  }
}
