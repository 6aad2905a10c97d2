import type { ProxiedLoginResult } from '@svc/auth'
import { usePaths } from '../provider/account-provider.tsx'
import { withReturnTo } from '../ui/sign-in-address.ts'
import { useArrival } from '../ui/use-arrival.ts'

/** Leads on after a sign-in, or to its second step. */
export function useSignedIn(returnTo: string) {
  const paths = usePaths()
  const arrive = useArrival()
  return ({ mfaRequired }: Pick<ProxiedLoginResult, 'mfaRequired'>) =>
    arrive(mfaRequired ? withReturnTo(paths.secondStep, returnTo) : returnTo)
}
