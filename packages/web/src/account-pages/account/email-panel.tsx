import { usePaths, useSay } from '../provider/account-provider.tsx'
import { Panel } from '../ui/panel.tsx'
import { TextLink } from '../ui/text-link.tsx'

/** The address of an account, and the way to another one. */
export function EmailPanel({ email }: { email: string | undefined }) {
  const paths = usePaths()
  const say = useSay()
  return (
    <Panel
      title={say('Your email')}
      about={say(
        'You sign in with this address and get messages there. To change it, you need a code.',
      )}
    >
      <p className="svc-inline-row">
        {email && <span className="svc-break-all">{email}</span>}
        <TextLink href={paths.changeEmail}>{email ? say('Change it') : say('Add one')}</TextLink>
      </p>
    </Panel>
  )
}
