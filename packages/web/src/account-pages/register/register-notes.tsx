import { usePaths, useSay } from '../provider/account-provider.tsx'
import { withReturnTo } from '../ui/sign-in-address.ts'
import { TextLink } from '../ui/text-link.tsx'

export function RegisterNotes({ returnTo }: { returnTo: string }) {
  const paths = usePaths()
  const say = useSay()
  return (
    <>
      <p>
        {say.nodes('Already have an account? <link>Sign in</link>', {
          link: (text) => <TextLink href={withReturnTo(paths.signIn, returnTo)}>{text}</TextLink>,
        })}
      </p>
      <p>
        {say(
          'This device is signed in at once, with its own key. In your list of devices, it has the name of its browser.',
        )}
      </p>
    </>
  )
}
