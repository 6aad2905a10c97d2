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
        Sign in with your fingerprint, your face or your screen lock instead of a password. A
        passkey is never typed, so nobody can get it out of you.
      </PageHeading>
      <Passkeys renderedAt={Date.now()} />
    </main>
  )
}
