import { requireSession } from '@svc/web/next'
import type { Metadata } from 'next'
import { Passkeys } from '../../../../passkeys/passkeys.tsx'
import { PageHeading } from '../../../../ui/page-heading.tsx'

export const metadata: Metadata = { title: 'Passkeys · Svc starter' }

export default async function Page() {
  await requireSession({ returnTo: '/account/security/passkeys' })
  return (
    <main>
      <PageHeading title="Passkeys">
        Sign in with your fingerprint, your face or your screen lock instead of a password. You
        never type a passkey, so an attacker can’t trick you into revealing it.
      </PageHeading>
      <Passkeys renderedAt={Date.now()} />
    </main>
  )
}
