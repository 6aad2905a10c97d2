import { requireSession } from '@svc/web/next'
import type { Metadata } from 'next'
import { SecurityPanels } from '../../../account/security-panels.tsx'
import { webProviders } from '../../../social/web-providers.ts'
import { PageHeading } from '../../../ui/page-heading.tsx'

export const metadata: Metadata = { title: 'Security · Svc starter' }

export default async function Page() {
  const session = await requireSession({ returnTo: '/account/security' })
  return (
    <main>
      <PageHeading title="Security">
        What it takes to sign in as you and to stay signed in, your data, and the way to sign out
        everywhere at once.
      </PageHeading>
      <SecurityPanels session={session} providers={await webProviders()} />
    </main>
  )
}
