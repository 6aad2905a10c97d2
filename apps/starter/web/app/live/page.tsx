import { PageHeading } from '@svc/web/account'
import { requireSession } from '@svc/web/next'
import type { Metadata } from 'next'
import { LiveStreams } from '../../live/live-streams.tsx'
import { may } from '../../permissions.ts'

export const metadata: Metadata = { title: 'Live' }

export default async function LivePage() {
  const session = await requireSession({ returnTo: '/live' })
  return (
    <main>
      <PageHeading title="Live">
        New notices arrive here at once, over two kinds of streams. A one-time token opens each
        stream. Both end when this device is signed out, from here or from another device.
      </PageHeading>
      <LiveStreams userId={session.userId} mayPost={may(session, 'notice:write')} />
    </main>
  )
}
