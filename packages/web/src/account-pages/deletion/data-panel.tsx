'use client'

import type { ReactNode } from 'react'
import { useExportUserData } from '../../account/account.ts'
import { Failure } from '../failures/failure.tsx'
import { useSay } from '../provider/account-provider.tsx'
import { AccountPage } from '../ui/account-page.tsx'
import { Button } from '../ui/button.tsx'
import { Panel } from '../ui/page.tsx'
import type { PageSlots } from '../ui/page-slots.ts'
import { Setting, Settings } from '../ui/settings.tsx'
import { DeleteAccount } from './delete-account.tsx'

/** Saves the stored data of the signed-in user as a file. */
export function DataSetting() {
  const say = useSay()
  const { run, error, isRunning } = useExportUserData()
  return (
    <Setting
      title={say('A copy of your data')}
      about={say(
        'Download your profile, your devices and the records of your account as a JSON file. It contains no passwords and no keys.',
      )}
      action={
        <Button isBusy={isRunning} onClick={() => void run()}>
          {isRunning ? say('Preparing the file…') : say('Download my data')}
        </Button>
      }
    >
      <Failure of={error} />
    </Setting>
  )
}

interface Props extends PageSlots {
  email: string
  hasPassword: boolean
  /** What happens to the data of your application, as `<li>`. */
  consequences?: ReactNode
}

/** Closes the account, and exports its data first. */
export function DeleteAccountView({ email, hasPassword, consequences, ...slots }: Props) {
  const say = useSay()
  return (
    <AccountPage
      title={say('Delete your account')}
      about={say(
        'Your account closes at once. You can restore it within 30 days. After that, it is deleted permanently.',
      )}
      {...slots}
    >
      <div className="svc-stack svc-stack-5">
        <Settings title={say('Take your data with you')}>
          <DataSetting />
        </Settings>
        <Panel title={say('Delete this account')}>
          <ul className="svc-bullets svc-note svc-prose svc-below-5">
            <li>{say('Now: every device is signed out, and you can’t sign in.')}</li>
            <li>
              {say(
                'For 30 days: we keep everything, and you can restore the account with your password or a code sent to your email.',
              )}
            </li>
            <li>{say('After that: we erase your email, your username and your profile.')}</li>
            {consequences}
          </ul>
          <DeleteAccount email={email} hasPassword={hasPassword} />
        </Panel>
      </div>
    </AccountPage>
  )
}
