import { PageHeading } from '@svc/web/account'
import { requireSession } from '@svc/web/next'
import type { Metadata } from 'next'
import { LiveStreams } from '../../live/live-streams.tsx'
import { may } from '../../permissions.ts'
import { PageWords } from '../../words/languages.tsx'
import { pageWords } from '../../words/page-words.ts'

export const metadata: Metadata = { title: 'Live' }

export default async function LivePage() {
  const session = await requireSession({ returnTo: '/live' })
  const { board, live } = await pageWords()
  return (
    <main>
      <PageHeading title={live.title}>{live.about}</PageHeading>
      <PageWords words={{ board, live }}>
        <LiveStreams userId={session.userId} mayPost={may(session, 'notice:write')} />
      </PageWords>
    </main>
  )
}
