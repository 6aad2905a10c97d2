import { SecurityPage } from '@svc/web/account/next'
import { getSession } from '@svc/web/next'
import type { Metadata } from 'next'
import { SignOutLink } from './sign-out-link.tsx'

export const metadata: Metadata = { title: 'Security' }

export default async function Page() {
  const session = await getSession()
  return <SecurityPage ifWrong={session?.email && <SignOutLink email={session.email} />} />
}
