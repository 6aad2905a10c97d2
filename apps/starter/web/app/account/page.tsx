import { requireSession } from '@svc/web/next'
import type { Metadata } from 'next'
import { Suspense } from 'react'
import { EmailPanel } from '../../account/email-panel.tsx'
import { ProfileSection } from '../../account/profile-section.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

export const metadata: Metadata = { title: 'Profile · Svc starter' }

export default async function Page() {
  const { userId, email } = await requireSession({ returnTo: '/account' })
  return (
    <main>
      <PageHeading title="Profile">Your name, username and settings.</PageHeading>
      <Suspense fallback={<Skeleton label="Loading your profile…" />}>
        <ProfileSection />
      </Suspense>
      <div className="mt-5">
        <EmailPanel email={email} />
      </div>
      <p className="mt-6 text-faded text-sm">
        User id: <code className="break-all text-ink">{userId}</code>
      </p>
    </main>
  )
}
