import { requireSession } from '@svc/web/next'
import type { Metadata } from 'next'
import { LinkedAccounts } from '../../../../social/linked-accounts.tsx'
import { webProviders } from '../../../../social/web-providers.ts'
import { PageHeading } from '../../../../ui/page-heading.tsx'

export const metadata: Metadata = { title: 'Linked accounts · Svc starter' }

interface Props {
  searchParams: Promise<{ linked?: string | string[] }>
}

/** Linking an account leads back here, with its provider as `linked`. */
export default async function Page({ searchParams }: Props) {
  await requireSession({ returnTo: '/account/security/linked' })
  const [{ linked }, providers] = await Promise.all([searchParams, webProviders()])
  return (
    <main>
      <PageHeading title="Linked accounts">
        Sign in with an account that you have at another service.
      </PageHeading>
      <LinkedAccounts
        providers={providers}
        linked={linked === undefined ? '' : String(linked)}
        renderedAt={Date.now()}
      />
    </main>
  )
}
