import { requireSession } from '@svc/web/next'
import type { Metadata } from 'next'
import { RegisterMachine } from '../../../machines/register-machine.tsx'
import { PageHeading } from '../../../ui/page-heading.tsx'

export const metadata: Metadata = { title: 'Machine keys · Svc starter' }

export default async function Page() {
  const { permissions } = await requireSession({ returnTo: '/account/machines' })
  return (
    <main>
      <PageHeading title="Machine keys">
        With a key of its own a script, a CI job or an agent signs requests in your name, and never
        has your password. It gets the permissions that you choose, and its key ends after as many
        days as you say.
      </PageHeading>
      <RegisterMachine permissions={permissions} />
    </main>
  )
}
