import { getSession, RequirePermission } from '@svc/web/next'
import type { Metadata } from 'next'
import { Suspense } from 'react'
import { Denied } from '../../../admin/denied.tsx'
import { ListedInvitations } from '../../../invitations/listed-invitations.tsx'
import { readListing } from '../../../invitations/listing.ts'
import { PageHeading } from '../../../ui/page-heading.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'

export const metadata: Metadata = { title: 'Invitations · Svc starter' }

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function InvitationsPage({ searchParams }: Props) {
  const listing = readListing(await searchParams)
  return (
    <RequirePermission
      permissions={['user:read']}
      returnTo="/admin/invitations"
      denied={<Denied needs="the permission user:read" />}
    >
      <main>
        <PageHeading title="Invitations">
          We email a link to the person you invite. With it they create an account that has the role
          you choose.
        </PageHeading>
        <Suspense fallback={<Skeleton label="Loading the invitations…" />}>
          <Listed listing={listing} />
        </Suspense>
      </main>
    </RequirePermission>
  )
}

async function Listed({ listing }: { listing: ReturnType<typeof readListing> }) {
  const session = await getSession()
  return session && <ListedInvitations session={session} listing={listing} />
}
