import { withReturnTo } from '../sign-in/sign-in-address.ts'
import { TextLink } from '../ui/text-link.tsx'

export function ResetNotes({ returnTo }: { returnTo: string }) {
  return (
    <>
      <p>
        It came back to you? <TextLink href={withReturnTo('/login', returnTo)}>Sign in</TextLink>
      </p>
      <p>
        You can also{' '}
        <TextLink href={withReturnTo('/login?with=code', returnTo)}>sign in with a code</TextLink>{' '}
        by email, and leave the password as it is.
      </p>
      <p>
        A new password signs every other device out, so that whoever may know the old one is out
        too.
      </p>
    </>
  )
}
