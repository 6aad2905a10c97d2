import { AccountAlreadyExistsError } from '@svc/auth'
import { withReturnTo } from '../sign-in/sign-in-address.ts'
import { TextLink } from '../ui/text-link.tsx'

/** The way on for who has an account already. */
export function SignInInstead({ of: error, returnTo }: { of: unknown; returnTo: string }) {
  if (!(error instanceof AccountAlreadyExistsError)) return null
  return (
    <p className="text-sm">
      <TextLink href={withReturnTo('/login', returnTo)}>Sign in instead</TextLink>
    </p>
  )
}
