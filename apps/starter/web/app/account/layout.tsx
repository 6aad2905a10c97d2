import { getSession } from '@svc/web/next'
import type { ReactNode } from 'react'
import { AccountFrame } from '../../account/account-frame.tsx'

/** Each page asks for the session itself: only it knows where who signs in comes back to. */
export default async function Layout({ children }: { children: ReactNode }) {
  const session = await getSession().catch(() => null)
  return <AccountFrame session={session}>{children}</AccountFrame>
}
