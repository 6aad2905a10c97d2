import { getSession, RequirePermission, refusePage } from '../../guards/guards.ts'
import { type ConsolePageProps, consolePaths, serverAuthApi } from '../console-page.ts'
import { RolesView } from './roles-view.tsx'

/** The roles, and what each of them allows. For superadmins. */
export async function RolesPage({ denied, path, loginPath }: ConsolePageProps) {
  return (
    <RequirePermission
      permissions={['rbac:role:manage']}
      returnTo={path ?? consolePaths.roles}
      {...(loginPath && { loginPath })}
      denied={denied}
    >
      <Found denied={denied} />
    </RequirePermission>
  )
}

async function Found({ denied }: Pick<ConsolePageProps, 'denied'>) {
  const listing = serverAuthApi().listRoles.call().catch(refusePage)
  const [session, listed] = await Promise.all([getSession(), listing])
  // The role may have changed since the guard looked.
  if (typeof listed === 'number') return denied
  // No one grants what they don't hold, so these are all that can be chosen.
  return <RolesView initial={listed.roles} permissions={session?.permissions ?? []} />
}
