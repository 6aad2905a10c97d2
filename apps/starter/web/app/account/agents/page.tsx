import { requireSession } from '@svc/web/next'
import type { Metadata } from 'next'
import { ConnectedAgents } from '../../../agents/connected-agents.tsx'
import { PageHeading } from '../../../ui/page-heading.tsx'

export const metadata: Metadata = { title: 'Connected agents · Svc starter' }

export default async function Page() {
  await requireSession({ returnTo: '/account/agents' })
  return (
    <main>
      <PageHeading title="Connected agents">
        Programs that you allowed to act for you. None of them has your password.
      </PageHeading>
      <ConnectedAgents renderedAt={Date.now()} />
    </main>
  )
}
