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
        A script, a CI job or an agent signs requests for you with its own key, and never has your
        password. You choose its permissions, and after how many days its key expires.
      </PageHeading>
      <RegisterMachine permissions={permissions} />
    </main>
  )
}
