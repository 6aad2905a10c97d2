'use client'

import type { KeyListItem, LetIn } from '@svc/auth'
import { useSay } from '../provider/account-provider.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { useNow } from '../ui/use-now.ts'
import { DeviceSummary } from './device-summary.tsx'
import { OtherDevices } from './other-devices.tsx'
import { useDeviceList } from './use-device-list.ts'
import { WaitingApprovals } from './waiting-approvals.tsx'

interface Props {
  keyId: string
  initial: KeyListItem[]
  initialApprovals: LetIn[]
  renderedAt: number
}

/** The devices of an account: this one, and all others. */
export function DeviceList({ renderedAt, ...given }: Props) {
  const say = useSay()
  const now = useNow(renderedAt)
  const { thisDevice, others, approvals, isBusy, heading, ...list } = useDeviceList(given)
  return (
    <div>
      {thisDevice && (
        <section aria-labelledby="this" className="svc-sheet">
          <h2 id="this" className="svc-hidden">
            {say('This device')}
          </h2>
          <DeviceSummary device={thisDevice} now={now}>
            <ConfirmButton
              isBusy={isBusy}
              question={say('Sign out here? To sign in again, you need your password or a code.')}
              confirm={say('Yes, sign out')}
              onConfirm={() => void list.signOut(thisDevice)}
            >
              {say('Sign out this device')}
            </ConfirmButton>
          </DeviceSummary>
        </section>
      )}
      <div className="svc-outcome-box">
        <Outcome problem={list.problem} done={list.done} />
      </div>
      {approvals.length > 0 && (
        <WaitingApprovals
          {...{ approvals, isBusy }}
          onSignOutAll={() => void list.signOutOthers()}
        />
      )}
      <OtherDevices
        {...{ now, isBusy, heading }}
        devices={others}
        onSignOut={(device, choice) => void list.signOut(device, choice)}
        onSignOutAll={() => void list.signOutOthers()}
      />
    </div>
  )
}
