import type { ContactChange } from '../../account/use-contact-change.ts'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { TextLink } from '../ui/text-link.tsx'
import type { Say } from '../words/say.ts'

interface Props {
  change: ContactChange
  revokedCount: number
}

export function Undone({ change: { kind, restores }, revokedCount }: Props) {
  const paths = usePaths()
  const say = useSay()
  const title = kind === 'email' ? 'Your email is restored' : 'Your phone number is restored'
  return (
    <div className="svc-stack svc-stack-3 svc-paragraph">
      <h2 tabIndex={-1} className="svc-title">
        {say(title)}
      </h2>
      <p>
        {say.nodes('It is {restores} again. {signedOut}', {
          restores: <strong className="svc-strong svc-break">{restores}</strong>,
          signedOut: signedOut(say, revokedCount),
        })}
      </p>
      <p>
        {say.nodes(
          'The old password was removed too. <link>Get a link by email</link> to set a new one.',
          { link: (text) => <TextLink href={paths.forgotPassword}>{text}</TextLink> },
        )}
      </p>
    </div>
  )
}

function signedOut(say: Say, count: number) {
  if (count === 0) return say('No device was signed in.')
  return count === 1
    ? say('One device is signed out.')
    : say('All {count} devices are signed out.', { count })
}
