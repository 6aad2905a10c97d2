import type { Device } from '@svc/web/react'
import { useState } from 'react'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { deviceName, namesOf, signOutQuestion } from './device-words.ts'

interface Props {
  device: Device
  isBusy: boolean
  onSignOut: (choice: { keepMade: boolean }) => void
}

/** Signs another device out, with what it has let in unless the user keeps that. */
export function SignOutDevice({ device, isBusy, onSignOut }: Props) {
  const [keepMade, setKeepMade] = useState(false)
  const isMachine = device.kind === 'machine'
  return (
    <ConfirmButton
      isBusy={isBusy}
      question={signOutQuestion(device)}
      choice={
        device.goesWith.length > 0 && (
          <div className="mt-3 text-sm">
            <p className="[overflow-wrap:anywhere]">
              This device also gave access to: {namesOf(device.goesWith)}.
            </p>
            <label className="mt-2 flex w-fit items-center gap-2.5">
              <input
                type="checkbox"
                checked={!keepMade}
                onChange={({ target }) => setKeepMade(!target.checked)}
                className="size-4 accent-accent"
              />
              Sign these out too
            </label>
          </div>
        )
      }
      confirm={isMachine ? 'Yes, remove it' : 'Yes, sign out'}
      onConfirm={() => onSignOut({ keepMade })}
    >
      {isMachine ? 'Remove' : 'Sign out'}
      <span className="sr-only"> {deviceName(device)}</span>
    </ConfirmButton>
  )
}
