'use client'

import type { KeyListItem, LetIn } from '@svc/auth'
import { useNow } from '../board/use-now.ts'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { Outcome } from '../ui/outcome.tsx'
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
  const now = useNow(renderedAt)
  const { thisDevice, others, approvals, isBusy, heading, ...list } = useDeviceList(given)
  return (
    <div>
      {thisDevice && (
        <section
          aria-labelledby="this"
          className="rounded-xl border border-line bg-sheet p-5 sm:p-6"
        >
          <h2 id="this" className="sr-only">
            This device
          </h2>
          <DeviceSummary device={thisDevice} now={now}>
            <ConfirmButton
              isBusy={isBusy}
              question="Sign out here? To sign in again, you need your password or a code."
              confirm="Yes, sign out"
              onConfirm={() => void list.signOut(thisDevice)}
            >
              Sign out this device
            </ConfirmButton>
          </DeviceSummary>
        </section>
      )}
      <div className="has-[p:not(:empty)]:mt-4">
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
