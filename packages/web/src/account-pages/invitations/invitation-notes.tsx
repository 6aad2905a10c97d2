import { usePaths, useSay } from '../provider/account-provider.tsx'
import { TextLink } from '../ui/text-link.tsx'

export function InvitationNotes() {
  const paths = usePaths()
  const say = useSay()
  return (
    <>
      <p>
        {say.nodes('Do you already have an account with this address? <link>Sign in</link>', {
          link: (text) => <TextLink href={paths.signIn}>{text}</TextLink>,
        })}
      </p>
      <p>
        {say('An invitation works once. The person who sent it can cancel it or send another one.')}
      </p>
      <p>
        {say(
          'Opening the link changes nothing. Your account is created when you choose a password.',
        )}
      </p>
    </>
  )
}
