import type { AuthSession } from '@svc/auth'
import { DataPanel } from '../deletion/data-panel.tsx'
import { LinkedPanel } from '../social/linked-panel.tsx'
import { Panel } from '../ui/panel.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { PasswordForm } from './password-form.tsx'
import { ReplaceKey } from './replace-key.tsx'
import { SessionBindingPanel, SignInPanels } from './sign-in-panels.tsx'
import { SignOutEverywhere } from './sign-out-everywhere.tsx'
import { SignOutLink } from './sign-out-link.tsx'

interface Props {
  session: AuthSession
  /** The ids of those that browsers can sign in with. */
  providers: readonly string[]
}

/** What keeps an account its owner's. */
export function SecurityPanels({ session, providers }: Props) {
  const { email = '', hasPassword, keyExpiresAtMillis } = session
  return (
    <div className="grid gap-5">
      <Panel
        title={hasPassword ? 'Your password' : 'A password for this account'}
        about="Setting a new one signs every other device out. This one stays signed in."
      >
        <PasswordForm email={email} hasPassword={hasPassword} />
      </Panel>
      <SignInPanels />
      <LinkedPanel providers={providers} />
      <Panel
        title="This device’s key"
        about="Replace it when somebody may have copied it, or to stay signed in for longer: the old key stops working at once."
      >
        <ReplaceKey expiresAtMillis={keyExpiresAtMillis} />
      </Panel>
      <SessionBindingPanel {...(keyExpiresAtMillis !== undefined && { keyExpiresAtMillis })} />
      <Panel
        title="Sign out everywhere"
        about="For when a device is lost, or you are not sure where you are signed in. It takes effect at once, here too."
      >
        <SignOutEverywhere />
      </Panel>
      {email && (
        <Panel
          title="A link that signs out everywhere"
          about="The same from wherever you read your mail, without signing in there. The link works once, and only the newest one does."
        >
          <SignOutLink email={email} />
        </Panel>
      )}
      <DataPanel title="Your data" />
      <Panel title="Leave" about="Delete the account. For 30 days you can have it back.">
        <p className="text-sm">
          <TextLink href="/account/close">Delete this account</TextLink>
        </p>
      </Panel>
    </div>
  )
}
