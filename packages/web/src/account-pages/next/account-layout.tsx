import type { ReactNode } from 'react'
import { AccountFrame } from '../account/account-frame.tsx'
import { StepUp } from '../step-up/step-up.tsx'
import { knownSession } from './server-account.ts'

/**
 * Around the pages of a signed-in user. Each page asks for the session itself, because only the
 * page knows its address.
 */
export async function AccountLayout({ children }: { children: ReactNode }) {
  return (
    <StepUp>
      <AccountFrame session={await knownSession()}>{children}</AccountFrame>
    </StepUp>
  )
}
