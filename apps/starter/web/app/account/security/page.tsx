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
        How you sign in and stay signed in, where you sign out everywhere, and your data.
      </PageHeading>
      <SecurityPanels session={session} providers={await webProviders()} />
    </main>
  )
}
