import type { ReactNode } from 'react'
import { AccountFrame } from '../../account/account-frame.tsx'
import { knownSession } from '../known-session.ts'

/** Each page asks for the session itself: only it knows where who signs in comes back to. */
export default async function Layout({ children }: { children: ReactNode }) {
  return <AccountFrame session={await knownSession()}>{children}</AccountFrame>
}
