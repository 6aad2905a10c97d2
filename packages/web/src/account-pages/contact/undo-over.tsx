import { usePaths, useSay } from '../provider/account-provider.tsx'
import { TextLink } from '../ui/text-link.tsx'

/** Says the same of a link that was used, has expired, or never was. */
export function UndoOver() {
  const paths = usePaths()
  const say = useSay()
  return (
    <div className="svc-stack svc-stack-3 svc-paragraph">
      <h2 tabIndex={-1} className="svc-title">
        {say('This link does not work')}
      </h2>
      <p>
        {say.nodes(
          'It was used, has expired, or is incomplete. If the account is still yours, set <link>a new password</link>. That signs out every other device.',
          { link: (text) => <TextLink href={paths.forgotPassword}>{text}</TextLink> },
        )}
      </p>
    </div>
  )
}
