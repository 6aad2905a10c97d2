'use client'

import { useDeviceLink } from '../../account/use-device-link.ts'
import { useSay } from '../provider/account-provider.tsx'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import { useArrival } from '../ui/use-arrival.ts'
import { LinkEnded } from './link-ended.tsx'
import { linkEnding } from './link-ending.ts'
import { ShownCode } from './shown-code.tsx'

/** Waits for a device that is signed in to approve this one. */
export function LinkDevice({ returnTo }: { returnTo: string }) {
  const say = useSay()
  const arrive = useArrival()
  const { code, starting, ending } = useDeviceLink({ onApproved: () => arrive(returnTo) })
  const problem = ending ?? starting.error
  return (
    <FocusOnChange of={problem ? 'problem' : 'code'}>
      {problem ? (
        <LinkEnded {...linkEnding(say, problem)} starting={starting} />
      ) : code ? (
        <ShownCode code={code} />
      ) : (
        <p role="status" className="svc-note">
          {say('Loading your code…')}
        </p>
      )}
    </FocusOnChange>
  )
}
