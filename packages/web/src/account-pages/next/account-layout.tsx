import type { ReactNode } from 'react'
import { AccountFrame } from '../account/account-frame.tsx'
import { AccountStream } from '../live/account-stream.tsx'
import { StepUp } from '../step-up/step-up.tsx'
import { knownSession, openSupport } from './server-account.ts'

interface LayoutProps {
  children: ReactNode
}

/**
 * Around the pages of a signed-in user. Each page asks for the session itself, because only the
 * page knows its address.
 */
export async function AccountLayout({ children }: LayoutProps) {
  const session = await knownSession()
  const given = { session, support: await openSupport(session), renderedAt: Date.now() }
  return (
    <StepUp>
      <AccountFrame {...given}>{children}</AccountFrame>
    </StepUp>
  )
}

/** The same where your streams carry `ownerEvents`: open pages show at once what becomes of the account. */
export async function LiveAccountLayout({ children }: LayoutProps) {
  const session = await knownSession()
  return (
    <AccountLayout>
      {/* An account that must change its password first has no streams. */}
      {session && !session.passwordChangeRequired && <AccountStream userId={session.userId} />}
      {children}
    </AccountLayout>
  )
}
