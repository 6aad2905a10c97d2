import { Panel } from '../ui/panel.tsx'
import { TextLink } from '../ui/text-link.tsx'

/** The address of an account, and the way to another one. */
export function EmailPanel({ email }: { email: string | undefined }) {
  return (
    <Panel
      title="Your email"
      about="You sign in with it, and messages go there. It takes a code to change it."
    >
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {email && <span className="break-all">{email}</span>}
        <TextLink href="/account/email">{email ? 'Change it' : 'Give one'}</TextLink>
      </p>
    </Panel>
  )
}
