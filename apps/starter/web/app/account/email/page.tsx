import { requireSession } from '@svc/web/next'
import type { Metadata } from 'next'
import { ChangeEmail } from '../../../contact/change-email.tsx'
import { PageHeading } from '../../../ui/page-heading.tsx'

export const metadata: Metadata = { title: 'Change your email · Svc starter' }

export default async function Page() {
  const { email = '', hasPassword } = await requireSession({ returnTo: '/account/email' })
  return (
    <main>
      <PageHeading title="Change your email">
        You sign in with this address and get messages there. Your devices stay signed in.
      </PageHeading>
      <div className="rounded-xl border border-line bg-sheet p-5 sm:p-6">
        <ChangeEmail current={email} hasPassword={hasPassword} />
      </div>
    </main>
  )
}
