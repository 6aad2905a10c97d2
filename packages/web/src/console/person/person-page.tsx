import { type AuthSession, UserNotFoundError } from '@svc/auth'
import { notFound } from 'next/navigation.js'
import { getSession, RequirePermission } from '../../guards/guards.ts'
import { type ConsolePageProps, consolePaths, serverAuthApi } from '../console-page.ts'
import { PersonView } from './person-view.tsx'

/** The parameter `userId` says whose page it is: the folder is `[userId]`. */
export interface PersonPageProps extends ConsolePageProps {
  params: Promise<{ userId: string }>
}

/** One user: devices, ways to sign in, what waits, and what the operator may do. */
export async function PersonPage({ params, denied, path, loginPath }: PersonPageProps) {
  const { userId } = await params
  const list = path ?? consolePaths.people
  return (
    <RequirePermission
      permissions={['user:read']}
      returnTo={`${list}/${userId}`}
      {...(loginPath && { loginPath })}
      denied={denied}
    >
      <Found userId={userId} list={list} />
    </RequirePermission>
  )
}

async function Found({ userId, list }: { userId: string; list: string }) {
  const session = await getSession()
  return session && <FoundFor {...{ session, userId, list }} />
}

async function FoundFor({
  session,
  userId,
  list,
}: {
  session: AuthSession
  userId: string
  list: string
}) {
  const api = serverAuthApi()
  const isSuperadmin = session.roles.some(({ name }) => name === 'superadmin')
  const [user, roles] = await Promise.all([
    api.readUser.call({ params: { userId } }).catch(unlessUnknown),
    // Only superadmins are told which roles there are.
    isSuperadmin ? api.listRoles.call().then((answer) => answer.roles) : null,
  ])
  if (!user) notFound()
  return (
    <PersonView
      {...{ user, list }}
      roles={roles?.filter(({ isActive }) => isActive) ?? null}
      may={{
        write: session.permissions.includes('user:write'),
        close: session.permissions.includes('user:delete'),
        readTrail: session.permissions.includes('audit:read'),
      }}
      isOwn={session.userId === user.userId}
      renderedAt={Date.now()}
    />
  )
}

function unlessUnknown(error: unknown) {
  if (error instanceof UserNotFoundError) return null
  throw error
}
