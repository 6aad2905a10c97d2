import type { ProxiedLoginResult } from '@svc/auth'
import { usePaths } from '../provider/account-provider.tsx'
import { useArrival } from '../ui/arrival-notice.tsx'
import { withReturnTo } from '../ui/sign-in-address.ts'

/** Goes on after a sign-in: to where the user was going, or to the second step. */
export function useSignedIn(returnTo: string) {
  const paths = usePaths()
  const arrive = useArrival()
  return ({ mfaRequired }: Pick<ProxiedLoginResult, 'mfaRequired'>) =>
    arrive(mfaRequired ? withReturnTo(paths.secondStep, returnTo) : returnTo)
}
