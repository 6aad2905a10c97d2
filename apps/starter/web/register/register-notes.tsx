import { withReturnTo } from '../sign-in/sign-in-address.ts'
import { TextLink } from '../ui/text-link.tsx'

export function RegisterNotes({ returnTo }: { returnTo: string }) {
  return (
    <>
      <p>
        You have one already? <TextLink href={withReturnTo('/login', returnTo)}>Sign in</TextLink>
      </p>
      <p>
        This device is signed in at once, with a key of its own, and is called after its browser in
        your list of devices.
      </p>
    </>
  )
}
