import { requireSession } from '@svc/web/next'
import type { Metadata } from 'next'
import { Suspense } from 'react'
import { DevicesSection } from '../../../account/devices-section.tsx'
import { PageHeading } from '../../../ui/page-heading.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { TextLink } from '../../../ui/text-link.tsx'

export const metadata: Metadata = { title: 'Devices · Svc starter' }

export default async function Page() {
  const { keyId } = await requireSession({ returnTo: '/account/devices' })
  return (
    <main>
      <PageHeading title="Devices">
        The devices where you are signed in. Each has its own key. When you sign a device out, it
        stops working at once.
      </PageHeading>
      <Suspense fallback={<Skeleton label="Loading your devices…" />}>
        <DevicesSection keyId={keyId} />
      </Suspense>
      <p className="mt-6 text-faded text-sm">
        Does a device show you a code? <TextLink href="/device">Link a device</TextLink>
      </p>
      <p className="mt-2 text-faded text-sm">
        Do you have the key of a script or an agent?{' '}
        <TextLink href="/account/machines">Register a machine key</TextLink>
      </p>
    </main>
  )
}
