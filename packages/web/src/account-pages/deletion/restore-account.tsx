'use client'

import { authApi } from '@svc/auth'
import { useRouter } from 'next/navigation.js'
import { type FormEvent, useEffect, useState } from 'react'
import { useCancelAccountDeletion, useEmailCode } from '../../account/account.ts'
import { AskForEmail, EnterCode } from '../codes/email-code.tsx'
import { type Email, EmailField } from '../codes/email-field.tsx'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { Button, TextLink } from '../ui/button.tsx'
import { Entrance } from '../ui/entrance.tsx'
import { formText } from '../ui/field.tsx'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import { LinkTabs } from '../ui/link-tabs.tsx'
import { Outcome } from '../ui/outcome.tsx'
import type { EntranceSlots } from '../ui/page-slots.ts'
import { PasswordField } from '../ui/password-field.tsx'
import { takeClosed } from './delete-account.tsx'
import { codeRestoreFailure, restoreFailure } from './deletion-failure.ts'

interface Props extends EntranceSlots {
  way: 'password' | 'code'
  /** The last day, as `2030-01-31`. */
  until: string | null
}

/** Restores an account that waits for its deletion. It does not sign in. */
export function RestoreAccount({ way, until, ...slots }: Props) {
  const paths = usePaths()
  const say = useSay()
  const [email, onEmail] = useState('')
  const [isClosed, setClosed] = useState(false)
  const [isRestored, setRestored] = useState(false)
  const router = useRouter()
  const addresses = { password: paths.restore, code: `${paths.restore}?with=code` }
  const given = { email, onEmail, onRestored }

  useEffect(() => {
    const closed = takeClosed()
    if (closed === null) return
    setClosed(true)
    onEmail(closed)
  }, [])

  function onRestored() {
    setRestored(true)
    // The last page may belong to an account that is closed now.
    router.replace(addresses.password)
  }

  return (
    <Entrance
      title={isClosed && !isRestored ? say('Your account is closed') : say('Restore your account')}
      notes={<RestoreNotes isRestored={isRestored} />}
      slots={slots}
    >
      {until && !isRestored && <CanBeRestored until={until} />}
      <FocusOnChange of={isRestored ? 'restored' : 'form'}>
        {isRestored ? (
          <Restored />
        ) : (
          <>
            <LinkTabs
              label={say('Ways to restore an account')}
              current={addresses[way]}
              tabs={[
                { href: addresses.password, label: say('With your password') },
                { href: addresses.code, label: say('With a code by email') },
              ]}
            />
            <div className="svc-above-6">
              {way === 'code' ? <RestoreByCode {...given} /> : <RestoreByPassword {...given} />}
            </div>
          </>
        )}
      </FocusOnChange>
    </Entrance>
  )
}

/** An attacker may have written the day into the address, so it says nothing about the user. */
function CanBeRestored({ until }: { until: string }) {
  const say = useSay()
  const format = new Intl.DateTimeFormat(say.dateLocale, { dateStyle: 'long', timeZone: 'UTC' })
  const day = format.format(new Date(until))
  return (
    <p role="status" className="svc-paragraph svc-below-4">
      {say.nodes(
        'You can restore a closed account until {until}. Then it is deleted permanently.',
        { until: <strong className="svc-strong">{day}</strong> },
      )}
    </p>
  )
}

function Restored() {
  const paths = usePaths()
  const say = useSay()
  return (
    <div className="svc-stack svc-stack-3 svc-paragraph">
      <h2 tabIndex={-1} className="svc-title">
        {say('Your account is restored')}
      </h2>
      <p>{say('Everything is as before. No device is signed in yet.')}</p>
      <p>
        <TextLink href={paths.signIn}>{say('Sign in')}</TextLink>
      </p>
    </div>
  )
}

function RestoreByPassword({ onRestored, ...address }: Email & { onRestored: () => void }) {
  const say = useSay()
  const [missing, setMissing] = useState({ email: '', password: '' })
  const { run, error, isRunning, reset } = useCancelAccountDeletion({ onRestored })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const [email, password] = [formText(given, 'email').trim(), formText(given, 'password')]
    reset()
    setMissing({
      email: email ? '' : say('Enter your email.'),
      password: password ? '' : say('Enter your password.'),
    })
    if (email && password) void run({ email, password })
  }

  return (
    <form method="post" noValidate onSubmit={submit} className="svc-stack">
      <EmailField {...address} problem={missing.email} />
      <PasswordField
        label={say('Password')}
        name="password"
        autoComplete="current-password"
        problem={missing.password}
      />
      <Outcome problem={error ? restoreFailure(say, error) : ''} />
      <Button type="submit" look="primary" isBusy={isRunning}>
        {isRunning ? say('Restoring…') : say('Restore my account')}
      </Button>
    </form>
  )
}

function RestoreByCode({ onRestored, ...address }: Email & { onRestored: () => void }) {
  const say = useSay()
  const code = useEmailCode({
    purpose: 'account_deletion',
    onProven: async (proven) => {
      await authApi.cancelAccountDeletion.call({ body: proven })
      onRestored()
    },
  })
  return (
    <FocusOnChange of={code.sent ? 'code' : 'email'}>
      {code.sent ? (
        <EnterCode
          {...code}
          sent={code.sent}
          label={say('Restore my account')}
          busyLabel={say('Restoring…')}
          failure={(error) => codeRestoreFailure(say, error)}
          onStartOver={code.startOver}
        />
      ) : (
        <AskForEmail {...address} sending={code.sending} label={say('Send code')} />
      )}
    </FocusOnChange>
  )
}

function RestoreNotes({ isRestored }: { isRestored: boolean }) {
  const paths = usePaths()
  const say = useSay()
  return (
    <>
      {!isRestored && (
        <>
          <p>
            {say(
              'We keep a deleted account for 30 days. Until then, you can restore it here, exactly as it was.',
            )}
          </p>
          <p>
            {say.nodes('Account not deleted? <link>Sign in</link>', {
              link: (text) => <TextLink href={paths.signIn}>{text}</TextLink>,
            })}
          </p>
        </>
      )}
      <p>
        {isRestored ? (
          <>
            {say.nodes(
              'If you did not delete it yourself, someone else used your account: set <link>a new password</link>.',
              { link: (text) => <TextLink href={paths.forgotPassword}>{text}</TextLink> },
            )}
          </>
        ) : (
          <>
            {say.nodes(
              'If you did not delete it yourself, someone else used your account: restore it, then set <link>a new password</link>.',
              { link: (text) => <TextLink href={paths.forgotPassword}>{text}</TextLink> },
            )}
          </>
        )}
      </p>
    </>
  )
}
