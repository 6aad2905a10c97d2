import type { ReactNode } from 'react'
import { AccountFrame } from '../../account/account-frame.tsx'
import { StepUp } from '../../step-up/step-up.tsx'
import { knownSession } from '../known-session.ts'

/** Each page asks for the session itself: only it knows where who signs in comes back to. */
export default async function Layout({ children }: { children: ReactNode }) {
  return (
    <StepUp>
      <AccountFrame session={await knownSession()}>{children}</AccountFrame>
    </StepUp>
  )
}
