'use client'

import { useDeviceLink } from '@svc/web/react'
import { useArrival } from '../sign-in/use-arrival.ts'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import { LinkEnded } from './link-ended.tsx'
import { linkEnding } from './link-ending.ts'
import { ShownCode } from './shown-code.tsx'

/** Waits for a device that is signed in to approve this one. */
export function LinkDevice({ returnTo }: { returnTo: string }) {
  const arrive = useArrival()
  const { code, starting, ending } = useDeviceLink({ onApproved: () => arrive(returnTo) })
  const problem = ending ?? starting.error
  return (
    <FocusOnChange of={problem ? 'problem' : 'code'}>
      {problem ? (
        <LinkEnded {...linkEnding(problem)} starting={starting} />
      ) : code ? (
        <ShownCode code={code} />
      ) : (
        <p role="status" className="text-faded text-sm">
          Loading your code…
        </p>
      )}
    </FocusOnChange>
  )
}
