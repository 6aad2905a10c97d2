'use client'

import { useRef, useState } from 'react'
import {
  type OwnerProof,
  type ProvenEmail,
  useEmailCode,
  useRequestAccountDeletion,
} from '../../account/account.ts'
import { EnterCode } from '../codes/email-code.tsx'
import { codeFailure } from '../failures/sign-in-failure.tsx'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { useArrival } from '../ui/arrival-notice.tsx'
import { Button, QuietButton } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { formText } from '../ui/field.tsx'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { deletionFailure } from './deletion-failure.ts'
import { restoreAddress } from './restore-address.ts'

interface DeleteAccountProps {
  /** Empty if the account has none. */
  email: string
  hasPassword: boolean
}

/** Closes an account, once its owner has proved that they ask. */
export function DeleteAccount({ email, hasPassword }: DeleteAccountProps) {
  const say = useSay()
  const [way, setWay] = useState(hasPassword ? 'password' : 'code')
  if (!email && !hasPassword) {
    return (
      <div className="svc-stack">
        <p className="svc-small">
          {say(
            'This account has no email and no password, so you can’t restore it after you close it. To be able to restore it, add an email first.',
          )}
        </p>
        <DeleteButton email="" proof={() => ({})} />
      </div>
    )
  }
  if (way === 'code') return <DeleteByCode email={email} />
  return (
    <div className="svc-stack svc-narrow">
      <DeleteByPassword email={email} />
      {email && (
        <p className="svc-small">
          <QuietButton onClick={() => setWay('code')}>
            {say('Use a code by email instead')}
          </QuietButton>
        </p>
      )}
    </div>
  )
}

function DeleteByPassword({ email }: { email: string }) {
  const say = useSay()
  const form = useRef<HTMLFormElement>(null)
  const [missing, setMissing] = useState('')

  function proof() {
    const password = form.current ? formText(new FormData(form.current), 'password') : ''
    setMissing(password ? '' : say('Enter your password.'))
    return password ? { password } : null
  }

  return (
    <form
      ref={form}
      method="post"
      noValidate
      // Enter must not delete an account: only the buttons do.
      onSubmit={(event) => event.preventDefault()}
      className="svc-stack"
    >
      <input hidden readOnly type="email" autoComplete="username" value={email} />
      <PasswordField
        label={say('Your password')}
        name="password"
        autoComplete="current-password"
        problem={missing}
      />
      <DeleteButton {...{ email, proof }} />
    </form>
  )
}

/** For users who have no password or don't know it: a code goes to the address of the account. */
function DeleteByCode({ email }: { email: string }) {
  const say = useSay()
  const [proven, setProven] = useState<ProvenEmail | null>(null)
  const { sent, sending, verifying } = useEmailCode({
    purpose: 'account_deletion',
    onProven: setProven,
  })
  const step = proven ? 'proven' : sent ? 'code' : 'unsent'
  return (
    <FocusOnChange of={step}>
      {step === 'unsent' && (
        <div className="svc-stack svc-start">
          <Button isBusy={sending.isRunning} onClick={() => void sending.run(email)}>
            {sending.isRunning ? say('Sending…') : say('Email me a code')}
          </Button>
          <Outcome problem={sending.error ? codeFailure(say, sending.error) : ''} />
        </div>
      )}
      {sent && step === 'code' && (
        <EnterCode
          {...{ sent, sending, verifying }}
          label={say('Continue')}
          busyLabel={say('Checking…')}
          failure={(error) => codeFailure(say, error)}
        />
      )}
      {proven && (
        <div className="svc-stack">
          <p tabIndex={-1} className="svc-small svc-focusable">
            {say('You confirmed that the account is yours.')}
          </p>
          <DeleteButton
            email={email}
            proof={() => ({ verificationToken: proven.verificationToken })}
          />
        </div>
      )}
    </FocusOnChange>
  )
}

interface DeleteButtonProps {
  /** Empty if the account has none. */
  email: string
  /** The proof that the owner asks; null while it is missing. */
  proof: () => OwnerProof | null
}

/**
 * Asks for confirmation, closes the account, and leads to a page that says until when it can be
 * restored.
 */
function DeleteButton({ email, proof }: DeleteButtonProps) {
  const say = useSay()
  const paths = usePaths()
  const arrive = useArrival()
  const { run, error, isRunning } = useRequestAccountDeletion({
    onClosed: (purgeAt) => {
      noteClosed(email)
      arrive(restoreAddress(paths.restore, purgeAt))
    },
  })

  function confirm() {
    const given = proof()
    if (given) void run(given)
  }

  return (
    <div className="svc-stack">
      <Outcome problem={error ? deletionFailure(say, error) : ''} />
      <div className="svc-flex">
        <ConfirmButton
          look="danger"
          isBusy={isRunning}
          refusal={error}
          question={say(
            'Delete your account now? This signs out every device at once, including this one.',
          )}
          confirm={isRunning ? say('Deleting…') : say('Yes, delete my account')}
          onConfirm={confirm}
        >
          {say('Delete my account')}
        </ConfirmButton>
      </div>
    </div>
  )
}

const key = 'svc.closed-account'

/**
 * Notes in this tab that its account was closed, with its email. An address in the URL would be
 * visible to others.
 */
function noteClosed(email: string) {
  sessionStorage.setItem(key, email)
}

/**
 * The email of the account that was closed in this tab. Only the first call gets it; null if there
 * is none.
 */
export function takeClosed() {
  const email = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  return email
}
