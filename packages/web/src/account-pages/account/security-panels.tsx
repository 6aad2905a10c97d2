import type { AuthSession } from '@svc/auth'
import type { ReactNode } from 'react'
import { DataPanel } from '../deletion/data-panel.tsx'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { LinkedPanel } from '../social/linked-panel.tsx'
import { Panel } from '../ui/panel.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { PasswordForm } from './password-form.tsx'
import { ReplaceKey } from './replace-key.tsx'
import { SessionBindingPanel, SignInPanels } from './sign-in-panels.tsx'
import { SignOutEverywhere } from './sign-out-everywhere.tsx'

interface Props {
  session: AuthSession
  /** The ids of those that browsers can sign in with. */
  providers: readonly string[]
  /** Panels of the application. */
  more?: ReactNode
}

/** What keeps an account its owner's. */
export function SecurityPanels({ session, providers, more }: Props) {
  const paths = usePaths()
  const say = useSay()
  const { email = '', hasPassword, keyExpiresAtMillis } = session
  return (
    <div className="svc-stack svc-stack-5">
      <Panel
        title={hasPassword ? say('Your password') : say('A password for this account')}
        about={say('A new password signs out every other device. This one stays signed in.')}
      >
        <PasswordForm email={email} hasPassword={hasPassword} />
      </Panel>
      <SignInPanels />
      <LinkedPanel providers={providers} />
      <Panel
        title={say('This device’s key')}
        about={say(
          'Replace it if someone may have copied it, or to stay signed in longer. The old key stops working at once.',
        )}
      >
        <ReplaceKey expiresAtMillis={keyExpiresAtMillis} />
      </Panel>
      <SessionBindingPanel {...(keyExpiresAtMillis !== undefined && { keyExpiresAtMillis })} />
      <Panel
        title={say('Sign out everywhere')}
        about={say(
          'Use this if you lost a device, or don’t know where you are signed in. It works at once, and signs out this device too.',
        )}
      >
        <SignOutEverywhere />
      </Panel>
      {more}
      <DataPanel title={say('Your data')} />
      <Panel title={say('Delete your account')} about={say('You can restore it within 30 days.')}>
        <p className="svc-small">
          <TextLink href={paths.deleteAccount}>{say('Delete this account')}</TextLink>
        </p>
      </Panel>
    </div>
  )
}
