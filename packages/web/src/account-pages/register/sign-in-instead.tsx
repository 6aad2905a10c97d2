import { AccountAlreadyExistsError } from '@svc/auth'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { withReturnTo } from '../ui/sign-in-address.ts'
import { TextLink } from '../ui/text-link.tsx'

/** The way on for who has an account already. */
export function SignInInstead({ of: error, returnTo }: { of: unknown; returnTo: string }) {
  const paths = usePaths()
  const say = useSay()
  if (!(error instanceof AccountAlreadyExistsError)) return null
  return (
    <p className="svc-small">
      <TextLink href={withReturnTo(paths.signIn, returnTo)}>{say('Sign in instead')}</TextLink>
    </p>
  )
}
