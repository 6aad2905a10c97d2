import { PageHeading, TextLink } from '@svc/web/account'
import { getSession, RequirePermission } from '@svc/web/next'
import type { Metadata } from 'next'
import { Denied } from '../../admin/denied.tsx'
import { isSuperadmin, seeUsers } from '../../permissions.ts'

export const metadata: Metadata = { title: 'Administration' }

export default async function AdminPage() {
  const session = await getSession()
  return (
    <RequirePermission
      permissions={[seeUsers]}
      returnTo="/admin"
      denied={<Denied needs={`the permission ${seeUsers}`} />}
    >
      <main>
        <PageHeading title="Administration">What your role may look after.</PageHeading>
        <ul className="grid gap-2">
          <li>
            <TextLink href="/admin/invitations">Invitations</TextLink>
          </li>
          {session && isSuperadmin(session) && (
            <li>
              <TextLink href="/admin/roles">Roles</TextLink>
            </li>
          )}
        </ul>
      </main>
    </RequirePermission>
  )
}
