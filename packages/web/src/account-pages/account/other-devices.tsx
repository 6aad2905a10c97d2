import type { Ref } from 'react'
import type { Device } from '../../account/use-devices.ts'
import { useSay } from '../provider/account-provider.tsx'
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
  const say = useSay()
  return (
    <section aria-labelledby="others" className="svc-sheet svc-above-5">
      <h2 id="others" ref={heading} tabIndex={-1} className="svc-title">
        {devices.length > 0 ? countOfOthers(say, devices.length) : say('Other devices')}
      </h2>
      {devices.length === 0 && (
        <p className="svc-note svc-prose svc-above-1">
          {say(
            'You are not signed in anywhere else. When you sign in on a phone or in another browser, it appears here.',
          )}
        </p>
      )}
      <ul className="svc-entries svc-above-2">
        {devices.map((device) => (
          <li key={device.keyId} className="svc-entry-box">
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
        <div className="svc-footer-row">
          <ConfirmButton
            look="danger"
            isBusy={isBusy}
            question={say('Sign out {devices}? This one stays signed in.', {
              devices: countOfOthers(say, devices.length),
            })}
            confirm={say('Yes, sign out')}
            onConfirm={onSignOutAll}
          >
            {say('Sign out all other devices')}
          </ConfirmButton>
        </div>
      )}
    </section>
  )
}
