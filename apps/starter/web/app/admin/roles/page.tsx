import { PageHeading } from '@svc/web/account'
import { getSession, RequireRole, refusePage } from '@svc/web/next'
import type { Metadata } from 'next'
import { Denied } from '../../../admin/denied.tsx'
import { RoleAdministration } from '../../../admin/role-administration.tsx'
import { serverAuthApi } from '../../../server-api.ts'
import { PageWords } from '../../../words/languages.tsx'
import { pageWords } from '../../../words/page-words.ts'

export const metadata: Metadata = { title: 'Roles' }

const denied = <Denied role="superadmin" />

export default function RolesPage() {
  return (
    <RequireRole roles={['superadmin']} returnTo="/admin/roles" denied={denied}>
      <Roles />
    </RequireRole>
  )
}

async function Roles() {
  const listing = serverAuthApi().listRoles.call().catch(refusePage)
  const [session, listed] = await Promise.all([getSession(), listing])
  // The role may have changed since the guard looked.
  if (typeof listed === 'number') return denied
  const { roles } = await pageWords()
  return (
    <main>
      <PageHeading title={roles.title}>{roles.about}</PageHeading>
      {/* You can't grant what you don't hold, so these are all that can be chosen. */}
      <PageWords words={{ roles }}>
        <RoleAdministration initial={listed.roles} permissions={session?.permissions ?? []} />
      </PageWords>
    </main>
  )
}
