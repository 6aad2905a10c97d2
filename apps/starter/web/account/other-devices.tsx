import type { Device } from '@svc/web/react'
import type { Ref } from 'react'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { DeviceSummary } from './device-summary.tsx'
import { countOfOthers } from './device-words.ts'
import { SignOutDevice } from './sign-out-device.tsx'

interface Props {
  devices: Device[]
  now: number
  isBusy: boolean
  heading: Ref<HTMLHeadingElement>
  onSignOut: (device: Device, choice: { keepMade: boolean }) => void
  onSignOutAll: () => void
}

/** Everywhere else that the account is signed in. */
export function OtherDevices({ devices, now, isBusy, heading, onSignOut, onSignOutAll }: Props) {
  return (
    <section
      aria-labelledby="others"
      className="mt-5 rounded-xl border border-line bg-sheet p-5 sm:p-6"
    >
      <h2 id="others" ref={heading} tabIndex={-1} className="font-medium text-lg outline-none">
        {devices.length > 0 ? countOfOthers(devices.length) : 'Other devices'}
      </h2>
      {devices.length === 0 && (
        <p className="mt-1 max-w-prose text-faded text-sm">
          You are not signed in anywhere else. When you sign in on a phone or in another browser, it
          appears here.
        </p>
      )}
      <ul className="mt-2 divide-y divide-line">
        {devices.map((device) => (
          <li key={device.keyId} className="py-5">
            <DeviceSummary device={device} now={now}>
              <SignOutDevice
                {...{ device, isBusy }}
                onSignOut={(choice) => onSignOut(device, choice)}
              />
            </DeviceSummary>
          </li>
        ))}
      </ul>
      {devices.length > 0 && (
        <div className="flex flex-wrap border-line border-t pt-5">
          <ConfirmButton
            look="danger"
            isBusy={isBusy}
            question={`Sign out ${countOfOthers(devices.length)}? This one stays signed in.`}
            confirm="Yes, sign out"
            onConfirm={onSignOutAll}
          >
            Sign out all other devices
          </ConfirmButton>
        </div>
      )}
    </section>
  )
}
