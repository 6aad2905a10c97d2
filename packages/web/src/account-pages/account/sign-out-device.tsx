import { useState } from 'react'
import type { Device } from '../../account/use-devices.ts'
import { useSay } from '../provider/account-provider.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { deviceName, namesOf, signOutQuestion } from './device-words.ts'

interface Props {
  device: Device
  isBusy: boolean
  onSignOut: (choice: { keepMade: boolean }) => void
}

/** Signs another device out, with what it has let in unless the user keeps that. */
export function SignOutDevice({ device, isBusy, onSignOut }: Props) {
  const say = useSay()
  const [keepMade, setKeepMade] = useState(false)
  const isMachine = device.kind === 'machine'
  return (
    <ConfirmButton
      isBusy={isBusy}
      question={signOutQuestion(say, device)}
      choice={
        device.goesWith.length > 0 && (
          <div className="svc-small svc-above-3">
            <p className="svc-break">
              {say('This device also gave access to: {names}.', {
                names: namesOf(say, device.goesWith),
              })}
            </p>
            <label className="svc-choice svc-above-2">
              <input
                type="checkbox"
                checked={!keepMade}
                onChange={({ target }) => setKeepMade(!target.checked)}
                className="svc-check"
              />
              {say('Sign these out too')}
            </label>
          </div>
        )
      }
      confirm={isMachine ? say('Yes, remove it') : say('Yes, sign out')}
      onConfirm={() => onSignOut({ keepMade })}
    >
      {isMachine ? say('Remove') : say('Sign out')}
      <span className="svc-hidden"> {deviceName(say, device)}</span>
    </ConfirmButton>
  )
}
