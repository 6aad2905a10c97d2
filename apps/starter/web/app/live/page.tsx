import { requireSession } from '@svc/web/next'
import type { Metadata } from 'next'
import { LiveStreams } from '../../live/live-streams.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'

export const metadata: Metadata = { title: 'Live · Svc starter' }

export default async function LivePage() {
  const { userId, permissions } = await requireSession({ returnTo: '/live' })
  return (
    <main>
      <PageHeading title="Live">
        Notices arrive here as they are posted, in two ways. A one-time token opens each stream, and
        both end when this device is signed out, wherever that is done.
      </PageHeading>
      <LiveStreams userId={userId} mayPost={permissions.includes('notice:write')} />
    </main>
  )
}
