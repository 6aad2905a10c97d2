'use client'

import { type AuthSession, InvalidCredentialsError, WeakPasswordError } from '@svc/auth'
import { ValidationError } from '@svc/core/client'
import { useRouter } from 'next/navigation.js'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useChangePassword, useRotateKey, useSignOutEverywhere } from '../../account/account.ts'
import { DataPanel } from '../deletion/data-panel.tsx'
import { failureWords } from '../failures/failure-words.ts'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { LinkedPanel } from '../social/linked-list.tsx'
import { useArrival } from '../ui/arrival-notice.tsx'
import { Button, TextLink } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { formText } from '../ui/field.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { AccountPage, Panel } from '../ui/page.tsx'
import type { PageSlots } from '../ui/page-slots.ts'
import { PasswordField, passwordRule, weakPasswordWords } from '../ui/set-password.tsx'
import { ExactTime } from '../ui/time.tsx'
import type { Say } from '../words/say.ts'
import { SessionBindingPanel, SignInPanels, SupportPanel } from './sign-in-panels.tsx'

interface SecurityViewProps extends PageSlots {
  session: AuthSession
  providers: readonly string[]
  /** Panels of your application. */
  more?: ReactNode
}

/** How the user signs in and stays signed in. */
export function SecurityView({ session, providers, more, ...slots }: SecurityViewProps) {
  const say = useSay()
  return (
    <AccountPage
      title={say('Security')}
      about={say(
        'How you sign in and stay signed in, where you sign out everywhere, and your data.',
      )}
      {...slots}
    >
      <SecurityPanels {...{ session, providers, more }} />
    </AccountPage>
  )
}

interface SecurityPanelsProps {
  session: AuthSession
  /** The ids of the providers that browsers can sign in with. */
  providers: readonly string[]
  /** Panels of the application. */
  more?: ReactNode
}

/** The settings that protect an account. */
function SecurityPanels({ session, providers, more }: SecurityPanelsProps) {
  const paths = usePaths()
  const say = useSay()
  const { email = '', hasPassword, keyExpiresAtMillis, supportConsent } = session
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
      {supportConsent === 'code' && <SupportPanel />}
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

function SignOutEverywhere() {
  const paths = usePaths()
  const say = useSay()
  const arrive = useArrival()
  const { run, error, isRunning } = useSignOutEverywhere({ onDone: () => arrive(paths.signIn) })
  return (
    <div className="svc-grid">
      <div className="svc-flex">
        <ConfirmButton
          look="danger"
          isBusy={isRunning}
          question={say(
            'Sign out every device, including this one? To sign in again, you need your password or a code.',
          )}
          confirm={say('Yes, sign out everywhere')}
          onConfirm={() => void run()}
        >
          {say('Sign out everywhere')}
        </ConfirmButton>
      </div>
      <div className="svc-outcome-box">
        <Outcome problem={error ? failureWords(say, error) : ''} />
      </div>
    </div>
  )
}

/** Until when this device is signed in, and a button to replace its key. */
function ReplaceKey({ expiresAtMillis }: { expiresAtMillis: number | undefined }) {
  const say = useSay()
  const router = useRouter()
  const [until, setUntil] = useState(expiresAtMillis)
  const [done, setDone] = useState('')
  const { run, error, isRunning } = useRotateKey({ onDone: () => router.refresh() })

  async function replace() {
    setDone('')
    const next = await run()
    if (next === null) return
    setUntil(next)
    setDone(say('This device has a new key.'))
  }

  return (
    <div className="svc-start">
      {until !== undefined && (
        <p className="svc-small svc-below-3">
          {say.nodes('This device’s key expires on {time}.', {
            time: <ExactTime at={until} />,
          })}
        </p>
      )}
      <Button isBusy={isRunning} onClick={() => void replace()}>
        {isRunning ? say('Replacing it…') : say('Replace the key')}
      </Button>
      <div className="svc-outcome-box">
        <Outcome problem={error ? failureWords(say, error) : ''} done={done} />
      </div>
    </div>
  )
}

/** An account that has no password yet is not asked for one. */
function PasswordForm({ email, hasPassword }: { email: string; hasPassword: boolean }) {
  const say = useSay()
  const router = useRouter()
  const [problem, setProblem] = useState('')
  const [done, setDone] = useState('')
  // The frame around the page may have asked to change the password.
  const { run, error, isRunning, reset } = useChangePassword({ onDone: () => router.refresh() })

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const given = new FormData(form)
    const currentPassword = formText(given, 'currentPassword')
    const newPassword = formText(given, 'newPassword')
    const isComplete = newPassword !== '' && (currentPassword !== '' || !hasPassword)
    setDone('')
    reset()
    setProblem(
      isComplete ? '' : hasPassword ? say('Enter both passwords.') : say('Choose a password.'),
    )
    if (!isComplete) return
    if (!(await run({ ...(hasPassword && { currentPassword }), newPassword }))) return
    form.reset()
    setDone(say('Your password is changed. Every other device is signed out.'))
  }

  return (
    <form
      method="post"
      noValidate
      onSubmit={(event) => void submit(event)}
      className="svc-stack svc-narrow"
    >
      <input hidden readOnly type="email" autoComplete="username" value={email} />
      {hasPassword && (
        <PasswordField
          label={say('Current password')}
          name="currentPassword"
          autoComplete="current-password"
        />
      )}
      <PasswordField
        label={say('New password')}
        name="newPassword"
        autoComplete="new-password"
        hint={passwordRule(say)}
      />
      <Outcome problem={problem || (error ? passwordFailure(say, error) : '')} done={done} />
      <div>
        <Button type="submit" look="primary" isBusy={isRunning}>
          {isRunning ? say('Changing it…') : say('Change password')}
        </Button>
      </div>
    </form>
  )
}

/** What a person can do about a password that was not changed. */
export function passwordFailure(say: Say, error: unknown) {
  if (error instanceof InvalidCredentialsError) return say('The current password is wrong.')
  if (error instanceof WeakPasswordError)
    return say('The new password is not accepted. {reasons}', {
      reasons: weakPasswordWords(say, error),
    })
  if (error instanceof ValidationError)
    return say('Choose another password. {passwordRule}', { passwordRule: passwordRule(say) })
  return failureWords(say, error)
}
