import { usePaths, useSay } from '../provider/account-provider.tsx'
import { withReturnTo } from '../ui/sign-in-address.ts'
import { TextLink } from '../ui/text-link.tsx'

export function ResetNotes({ returnTo }: { returnTo: string }) {
  const paths = usePaths()
  const say = useSay()
  return (
    <>
      <p>
        {say.nodes('Remember your password? <link>Sign in</link>', {
          link: (text) => <TextLink href={withReturnTo(paths.signIn, returnTo)}>{text}</TextLink>,
        })}
      </p>
      <p>
        {say.nodes(
          'You can also <link>sign in with a code</link> by email and keep your password.',
          {
            link: (text) => (
              <TextLink href={withReturnTo(`${paths.signIn}?with=code`, returnTo)}>{text}</TextLink>
            ),
          },
        )}
      </p>
      <p>
        {say(
          'A new password signs out every other device. Someone who knows the old one is signed out too.',
        )}
      </p>
    </>
  )
}
