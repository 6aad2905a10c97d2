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
        Where you are signed in. Each device has a key of its own, and is out at once when you sign
        it out.
      </PageHeading>
      <Suspense fallback={<Skeleton label="Your devices are being loaded." />}>
        <DevicesSection keyId={keyId} />
      </Suspense>
      <p className="mt-6 text-faded text-sm">
        A device shows a code to sign in with? <TextLink href="/device">Link a device</TextLink>
      </p>
      <p className="mt-2 text-faded text-sm">
        A script or an agent has a key of its own?{' '}
        <TextLink href="/account/machines">Register a machine key</TextLink>
      </p>
    </main>
  )
}
