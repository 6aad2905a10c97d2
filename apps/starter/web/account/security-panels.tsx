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
        about="A new password signs out every other device. This one stays signed in."
      >
        <PasswordForm email={email} hasPassword={hasPassword} />
      </Panel>
      <SignInPanels />
      <LinkedPanel providers={providers} />
      <Panel
        title="This device’s key"
        about="Replace it if someone may have copied it, or to stay signed in longer. The old key stops working at once."
      >
        <ReplaceKey expiresAtMillis={keyExpiresAtMillis} />
      </Panel>
      <SessionBindingPanel {...(keyExpiresAtMillis !== undefined && { keyExpiresAtMillis })} />
      <Panel
        title="Sign out everywhere"
        about="Use this if you lost a device, or don’t know where you are signed in. It works at once, and signs out this device too."
      >
        <SignOutEverywhere />
      </Panel>
      {email && (
        <Panel
          title="A link that signs out everywhere"
          about="Sign out everywhere from your mail, on any device, without signing in there. Only the newest link works, and only once."
        >
          <SignOutLink email={email} />
        </Panel>
      )}
      <DataPanel title="Your data" />
      <Panel title="Delete your account" about="You can restore it within 30 days.">
        <p className="text-sm">
          <TextLink href="/account/close">Delete this account</TextLink>
        </p>
      </Panel>
    </div>
  )
}
