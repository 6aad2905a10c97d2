import { withReturnTo } from '../sign-in/sign-in-address.ts'
import { TextLink } from '../ui/text-link.tsx'

export function ResetNotes({ returnTo }: { returnTo: string }) {
  return (
    <>
      <p>
        Remember your password? <TextLink href={withReturnTo('/login', returnTo)}>Sign in</TextLink>
      </p>
      <p>
        You can also{' '}
        <TextLink href={withReturnTo('/login?with=code', returnTo)}>sign in with a code</TextLink>{' '}
        by email and keep your password.
      </p>
      <p>
        A new password signs out every other device. Someone who knows the old one is signed out
        too.
      </p>
    </>
  )
}
