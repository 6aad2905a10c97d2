import { getSession, RequireRole } from '@svc/web/next'
import type { Metadata } from 'next'
import { RoleAdministration } from '../../../admin/role-administration.tsx'
import { serverAuthApi } from '../../../server-api.ts'
import { PageHeading } from '../../../ui/page-heading.tsx'

export const metadata: Metadata = { title: 'Roles · Svc starter' }

export default function RolesPage() {
  return (
    <RequireRole roles={['superadmin']} returnTo="/admin/roles">
      <main>
        <PageHeading title="Roles">
          A role is a set of permissions. What changes here counts from the next request on, for
          everybody who has the role.
        </PageHeading>
        <Roles />
      </main>
    </RequireRole>
  )
}

async function Roles() {
  const [session, { roles }] = await Promise.all([getSession(), serverAuthApi().listRoles.call()])
  // Nobody grants what they do not hold, so these are all that can be chosen.
  return <RoleAdministration initial={roles} permissions={session?.permissions ?? []} />
}
