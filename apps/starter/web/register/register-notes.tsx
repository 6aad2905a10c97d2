import { withReturnTo } from '../sign-in/sign-in-address.ts'
import { TextLink } from '../ui/text-link.tsx'

export function RegisterNotes({ returnTo }: { returnTo: string }) {
  return (
    <>
      <p>
        Already have an account?{' '}
        <TextLink href={withReturnTo('/login', returnTo)}>Sign in</TextLink>
      </p>
      <p>
        This device is signed in at once, with its own key. In your list of devices, it has the name
        of its browser.
      </p>
    </>
  )
}
