import type { ProxiedLoginResult } from '@svc/auth'
import { withReturnTo } from './sign-in-address.ts'
import { useArrival } from './use-arrival.ts'

/** Where somebody goes who has just signed in, or owes the second step. */
export function useSignedIn(returnTo: string) {
  const arrive = useArrival()
  return ({ mfaRequired }: Pick<ProxiedLoginResult, 'mfaRequired'>) =>
    arrive(mfaRequired ? withReturnTo('/auth/mfa', returnTo) : returnTo)
}
