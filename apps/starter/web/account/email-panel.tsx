import { Panel } from '../ui/panel.tsx'
import { TextLink } from '../ui/text-link.tsx'

/** The address of an account, and the way to another one. */
export function EmailPanel({ email }: { email: string | undefined }) {
  return (
    <Panel
      title="Your email"
      about="You sign in with this address and get messages there. To change it, you need a code."
    >
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {email && <span className="break-all">{email}</span>}
        <TextLink href="/account/email">{email ? 'Change it' : 'Add one'}</TextLink>
      </p>
    </Panel>
  )
}
