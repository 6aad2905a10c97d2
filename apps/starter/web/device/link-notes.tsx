import { withReturnTo } from '../sign-in/sign-in-address.ts'
import { TextLink } from '../ui/text-link.tsx'

export function LinkNotes({ returnTo }: { returnTo: string }) {
  return (
    <>
      <p>
        Do you know your password?{' '}
        <TextLink href={withReturnTo('/login', returnTo)}>Sign in</TextLink>
      </p>
      <p>
        You type no password on this device. Use this when the device has no keyboard, or when
        others can see what you type.
      </p>
      <p>
        Don’t share the code. A person who approves it signs this browser in to their own account.
      </p>
    </>
  )
}
