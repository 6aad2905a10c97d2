import { usePaths, useSay } from '../provider/account-provider.tsx'
import { withReturnTo } from '../ui/sign-in-address.ts'
import { TextLink } from '../ui/text-link.tsx'

export function LinkNotes({ returnTo }: { returnTo: string }) {
  const paths = usePaths()
  const say = useSay()
  return (
    <>
      <p>
        {say.nodes('Do you know your password? <link>Sign in</link>', {
          link: (text) => <TextLink href={withReturnTo(paths.signIn, returnTo)}>{text}</TextLink>,
        })}
      </p>
      <p>
        {say(
          'You type no password on this device. Use this when the device has no keyboard, or when others can see what you type.',
        )}
      </p>
      <p>
        {say(
          'Don’t share the code. A person who approves it signs this browser in to their own account.',
        )}
      </p>
    </>
  )
}
