import { withReturnTo } from '../sign-in/sign-in-address.ts'
import { TextLink } from '../ui/text-link.tsx'

/** Says that a session does not go on, with the way on. */
export function RenewalOver({ returnTo }: { returnTo: string }) {
  return (
    <div role="status">
      <h2 tabIndex={-1} className="font-medium text-lg outline-none">
        This session cannot go on
      </h2>
      <p className="mt-2 text-sm leading-relaxed">
        It has rested for too long, was ended from elsewhere, or the passkey is not one of its
        account. <TextLink href={withReturnTo('/login', returnTo)}>Sign in again</TextLink>
      </p>
    </div>
  )
}
