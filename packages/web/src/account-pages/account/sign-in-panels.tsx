'use client'

import { useMfaStatus, usePasskeys } from '../../account/account.ts'
import { BindingPanel } from '../binding/binding-panel.tsx'
import { countOfPasskeys } from '../passkeys/passkey-words.ts'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { methodsInWords } from '../second-factor/turned-on.tsx'
import { TextLink } from '../ui/button.tsx'
import { Panel } from '../ui/page.tsx'

/** What a sign-in needs besides a password, and what a session needs to continue. */
export function SignInPanels() {
  const paths = usePaths()
  const say = useSay()
  const { passkeys } = usePasskeys()
  const { status } = useMfaStatus()
  return (
    <>
      <Panel
        title={say('Passkeys')}
        about={say(
          'Sign in with your fingerprint, your face or your screen lock instead of a password.',
        )}
      >
        <p className="svc-small">
          {passkeys &&
            (passkeys.length > 0
              ? say('You have {passkeys}.', {
                  passkeys: countOfPasskeys(say, passkeys.length),
                })
              : say('You have none yet.'))}{' '}
          <TextLink href={paths.passkeys}>{say('Your passkeys')}</TextLink>
        </p>
      </Panel>
      <Panel
        title={say('Two-step sign-in')}
        about={say(
          'On a new device, you need your password and a second step: a code from an app, or a passkey.',
        )}
      >
        <p className="svc-small">
          {status &&
            (status.enrolled
              ? say('It is on, with {methods}.', {
                  methods: methodsInWords(say, status.methods),
                })
              : say('It is off.'))}{' '}
          <TextLink href={paths.twoStep}>{say('Your second step')}</TextLink>
        </p>
      </Panel>
    </>
  )
}

/** An attacker who copies a bound session can use it for hours at most. */
export function SessionBindingPanel({ keyExpiresAtMillis }: { keyExpiresAtMillis?: number }) {
  const say = useSay()
  return (
    <Panel
      title={say('Bind this session to a passkey')}
      about={say(
        'The session’s key then expires within hours instead of months, and you renew it with your passkey, about once a day. An attacker who copies the session can use it for hours at most.',
      )}
    >
      {/* A new key expires at another time. */}
      <BindingPanel key={keyExpiresAtMillis} />
    </Panel>
  )
}

/** A link to the code that support needs to use the account. */
export function SupportPanel() {
  const say = useSay()
  const paths = usePaths()
  return (
    <Panel
      title={say('Support')}
      about={say('Support can use your account for up to an hour, if you give them a code.')}
    >
      <p className="svc-small">
        <TextLink href={paths.supportCode}>{say('A code for support')}</TextLink>
      </p>
    </Panel>
  )
}

/** The address of an account, and a link to change it. */
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
