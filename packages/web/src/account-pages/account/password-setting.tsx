import { type AuthSession, InvalidCredentialsError, WeakPasswordError } from '@svc/auth'
import { ValidationError } from '@svc/core/client'
import { useRouter } from 'next/navigation.js'
import { type FormEvent, useRef, useState } from 'react'
import { useChangePassword } from '../../account/account.ts'
import { failureWords } from '../failures/failure-words.ts'
import { useSay } from '../provider/account-provider.tsx'
import { Button } from '../ui/button.tsx'
import { formText } from '../ui/field.tsx'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { passwordRule, weakPasswordWords } from '../ui/set-password.tsx'
import { Setting } from '../ui/settings.tsx'
import type { Say } from '../words/say.ts'

type Account = Pick<AuthSession, 'email' | 'hasPassword'>

/** The password of an account, and a form that opens to change it. */
export function PasswordSetting({
  passwordChangeRequired,
  ...account
}: Account & Pick<AuthSession, 'passwordChangeRequired'>) {
  const say = useSay()
  const router = useRouter()
  const { hasPassword } = account
  // The frame around the page may have asked to change the password.
  const [isOpen, setOpen] = useState(passwordChangeRequired)
  const [done, setDone] = useState('')
  const opener = useRef<HTMLButtonElement>(null)

  function open(isToOpen: boolean) {
    setDone('')
    setOpen(isToOpen)
  }

  function close() {
    setOpen(false)
    setDone(say('Your password is changed. Every other device is signed out.'))
    // The form that had the focus is gone.
    opener.current?.focus()
    router.refresh()
  }

  return (
    <Setting
      title={say('Password')}
      state={hasPassword ? say('It is set.') : say('You have none yet.')}
      about={say('A new password signs out every other device. This one stays signed in.')}
      action={
        <Button ref={opener} onClick={() => open(!isOpen)}>
          {isOpen ? say('Cancel') : hasPassword ? say('Change password') : say('Set password')}
        </Button>
      }
    >
      <FocusOnChange of={isOpen ? 'form' : ''}>
        {isOpen && <PasswordForm {...account} onDone={close} />}
      </FocusOnChange>
      <Outcome done={done} />
    </Setting>
  )
}

/** An account that has no password yet is not asked for one. */
function PasswordForm({ email = '', hasPassword, onDone }: Account & { onDone: () => void }) {
  const say = useSay()
  const [missing, setMissing] = useState({ current: '', next: '' })
  const { run, error, isRunning, reset } = useChangePassword({ onDone })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const currentPassword = formText(given, 'currentPassword')
    const newPassword = formText(given, 'newPassword')
    const lacksCurrent = hasPassword && !currentPassword
    reset()
    setMissing({
      current: lacksCurrent ? say('Enter your password.') : '',
      next: newPassword ? '' : say('Choose a password.'),
    })
    if (lacksCurrent || !newPassword) return
    void run({ ...(hasPassword && { currentPassword }), newPassword })
  }

  const failure = error ? passwordFailure(say, error) : ''
  const isOfCurrent = error instanceof InvalidCredentialsError
  const isOfNew = error instanceof WeakPasswordError || error instanceof ValidationError
  return (
    <form method="post" noValidate onSubmit={submit} className="svc-stack svc-narrow svc-above-4">
      <input hidden readOnly type="email" autoComplete="username" value={email} />
      {hasPassword && (
        <PasswordField
          label={say('Current password')}
          name="currentPassword"
          autoComplete="current-password"
          problem={missing.current || (isOfCurrent ? failure : '')}
        />
      )}
      <PasswordField
        label={say('New password')}
        name="newPassword"
        autoComplete="new-password"
        hint={passwordRule(say)}
        problem={missing.next || (isOfNew ? failure : '')}
      />
      <Outcome problem={isOfCurrent || isOfNew ? '' : failure} />
      <div>
        <Button type="submit" look="primary" isBusy={isRunning}>
          {isRunning
            ? say('Changing it…')
            : hasPassword
              ? say('Change password')
              : say('Set password')}
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
