'use client'

import { useMfaStatus, usePasskeys } from '../../account/account.ts'
import { failureWords } from '../failures/failure-words.ts'
import { countOfPasskeys } from '../passkeys/passkey-words.ts'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { codesLeft, isToRefill, methodsInWords } from '../second-factor/turned-on.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { Setting, Settings } from '../ui/settings.tsx'

export function PasskeysSetting() {
  const paths = usePaths()
  const say = useSay()
  const { passkeys, loading } = usePasskeys()
  const state =
    passkeys &&
    (passkeys.length > 0
      ? say('You have {passkeys}.', { passkeys: countOfPasskeys(say, passkeys.length) })
      : say('You have none yet.'))
  return (
    <Setting
      title={say('Passkeys')}
      state={state ?? (loading.error ? failureWords(say, loading.error) : null)}
      href={paths.passkeys}
    />
  )
}

/** What a sign-in needs besides a password. */
export function TwoStepSetting() {
  const paths = usePaths()
  const say = useSay()
  const { status, loading } = useMfaStatus()
  const state =
    status &&
    (status.enrolled
      ? say('It is on, with {methods}.', { methods: methodsInWords(say, status.methods) })
      : say('It is off.'))
  return (
    <Setting
      title={say('Two-step sign-in')}
      state={state ?? (loading.error ? failureWords(say, loading.error) : null)}
      href={paths.twoStep}
    >
      {status?.enrolled && isToRefill(status.recoveryCodesRemaining) && (
        <p className="svc-small svc-problem">
          {say('Recovery codes')}: {codesLeft(say, status.recoveryCodesRemaining)}
        </p>
      )}
    </Setting>
  )
}

/** The address of an account, and a link to change it. */
export function EmailSetting({ email }: { email: string | undefined }) {
  const paths = usePaths()
  const say = useSay()
  return (
    <Settings title={say('Your email')}>
      <Setting
        title={email ?? say('You have none yet.')}
        about={say(
          'You sign in with this address and get messages there. To change it, you need a code.',
        )}
        action={
          <ButtonLink href={paths.changeEmail}>
            {email ? say('Change it') : say('Add one')}
          </ButtonLink>
        }
      />
    </Settings>
  )
}
