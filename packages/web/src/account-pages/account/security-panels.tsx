'use client'

import type { AuthSession } from '@svc/auth'
import { useRouter } from 'next/navigation.js'
import { type ReactNode, useState } from 'react'
import { useRotateKey, useSignOutEverywhere } from '../../account/account.ts'
import { BindingSetting } from '../binding/binding-setting.tsx'
import { DataSetting } from '../deletion/data-panel.tsx'
import { Failure } from '../failures/failure.tsx'
import { failureWords } from '../failures/failure-words.ts'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { LinkedSetting } from '../social/linked-list.tsx'
import { AccountPage } from '../ui/account-page.tsx'
import { useArrival } from '../ui/arrival-notice.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { Outcome } from '../ui/outcome.tsx'
import type { PageSlots } from '../ui/page-slots.ts'
import { RelativeTime, useNow } from '../ui/relative-time.tsx'
import { Setting, Settings } from '../ui/settings.tsx'
import { PasswordSetting } from './password-setting.tsx'
import { PasskeysSetting, TwoStepSetting } from './sign-in-settings.tsx'

interface SecurityViewProps extends PageSlots {
  session: AuthSession
  /** The ids of the providers that browsers can sign in with. */
  providers: readonly string[]
  renderedAt: number
  /** Panels of your application. */
  more?: ReactNode
  /** Rows of your application for when something is wrong: each is a `Setting`. */
  ifWrong?: ReactNode
}

/** How the user signs in and stays signed in. */
export function SecurityView({ session, providers, ...given }: SecurityViewProps) {
  const { renderedAt, more, ifWrong, ...slots } = given
  const say = useSay()
  const { keyExpiresAtMillis, supportConsent } = session
  return (
    <AccountPage title={say('Security')} {...slots}>
      <div className="svc-stack svc-stack-8">
        <Settings title={say('Ways to sign in')}>
          <PasswordSetting {...session} />
          <PasskeysSetting />
          <LinkedSetting providers={providers} />
        </Settings>
        <Settings title={say('Second step')}>
          <TwoStepSetting />
        </Settings>
        <Settings title={say('This device')}>
          <KeySetting expiresAtMillis={keyExpiresAtMillis} renderedAt={renderedAt} />
          <BindingSetting />
        </Settings>
        <Settings title={say('If something is wrong')}>
          <SignOutEverywhere />
          {ifWrong}
          {supportConsent === 'code' && <SupportSetting />}
        </Settings>
        {more}
        <Settings title={say('Your data')}>
          <DataSetting />
          <DeletionSetting />
        </Settings>
      </div>
    </AccountPage>
  )
}

function SignOutEverywhere() {
  const paths = usePaths()
  const say = useSay()
  const arrive = useArrival()
  const { run, error, isRunning } = useSignOutEverywhere({ onDone: () => arrive(paths.signIn) })
  return (
    <Setting
      title={say('Sign out everywhere')}
      about={say(
        'Use this if you lost a device, or don’t know where you are signed in. It works at once, and signs out this device too.',
      )}
      action={
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
      }
    >
      <Failure of={error} />
    </Setting>
  )
}

interface KeyProps {
  expiresAtMillis: number | undefined
  renderedAt: number
}

/** Until when this device is signed in, and a button to replace its key. */
function KeySetting({ expiresAtMillis, renderedAt }: KeyProps) {
  const say = useSay()
  const router = useRouter()
  const now = useNow(renderedAt)
  const [done, setDone] = useState('')
  const { run, error, isRunning } = useRotateKey({ onDone: () => router.refresh() })

  async function replace() {
    setDone('')
    if ((await run()) !== null) setDone(say('This device has a new key.'))
  }

  return (
    <Setting
      title={say('This device’s key')}
      state={
        expiresAtMillis === undefined
          ? undefined
          : say.nodes('It expires {time}.', {
              time: <RelativeTime at={expiresAtMillis} now={now} />,
            })
      }
      about={say(
        'Replace it if someone may have copied it, or to stay signed in longer. The old key stops working at once.',
      )}
      action={
        <Button isBusy={isRunning} onClick={() => void replace()}>
          {isRunning ? say('Replacing it…') : say('Replace the key')}
        </Button>
      }
    >
      <Outcome problem={error ? failureWords(say, error) : ''} done={done} />
    </Setting>
  )
}

/** A link to the code that support needs to use the account. */
function SupportSetting() {
  const say = useSay()
  const paths = usePaths()
  return (
    <Setting
      title={say('Support')}
      about={say('Support can use your account for up to an hour, if you give them a code.')}
      action={<ButtonLink href={paths.supportCode}>{say('A code for support')}</ButtonLink>}
    />
  )
}

function DeletionSetting() {
  const say = useSay()
  const paths = usePaths()
  return (
    <Setting
      title={say('Delete your account')}
      about={say('You can restore it within 30 days.')}
      action={
        <ButtonLink look="danger" href={paths.deleteAccount}>
          {say('Delete this account')}
        </ButtonLink>
      }
    />
  )
}
