import type { LoginResult } from '@svc/auth'
import { SecondFactorError } from './sign-in-failure.ts'
import { useArrival } from './use-arrival.ts'

/** Where somebody goes who has just signed in. */
export function useSignedIn(returnTo: string) {
  const arrive = useArrival()
  return ({ mfaRequired }: LoginResult) => {
    if (mfaRequired) throw new SecondFactorError()
    arrive(returnTo)
  }
}
