import { withReturnTo } from '../sign-in/sign-in-address.ts'
import { TextLink } from '../ui/text-link.tsx'

export function LinkNotes({ returnTo }: { returnTo: string }) {
  return (
    <>
      <p>
        You have your password here?{' '}
        <TextLink href={withReturnTo('/login', returnTo)}>Sign in</TextLink>
      </p>
      <p>
        No password is typed on this device, which is good where a keyboard is missing or somebody
        looks on.
      </p>
      <p>
        The code is for you alone. Whoever is told it, and approves it, signs this browser in as
        themselves.
      </p>
    </>
  )
}
