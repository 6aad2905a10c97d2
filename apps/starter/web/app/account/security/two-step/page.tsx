import { requireSession } from '@svc/web/next'
import type { Metadata } from 'next'
import { TwoStep } from '../../../../second-factor/two-step.tsx'
import { PageHeading } from '../../../../ui/page-heading.tsx'

export const metadata: Metadata = { title: 'Two-step sign-in · Svc starter' }

export default async function Page() {
  const session = await requireSession({ returnTo: '/account/security/two-step' })
  return (
    <main>
      <PageHeading title="Two-step sign-in">
        On a new device, you need your password and something that only you have.
      </PageHeading>
      <TwoStep account={session.email ?? session.phone ?? session.publicId} />
    </main>
  )
}
