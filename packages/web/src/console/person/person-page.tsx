import { type AuthSession, UserNotFoundError } from '@svc/auth'
import { notFound } from 'next/navigation.js'
import { Fragment } from 'react'
import { getSession, partFailure, RequirePermission } from '../../guards/guards.ts'
import { type ConsolePageProps, consolePaths, serverAuthApi } from '../console-page.ts'
import type { ConsolePart } from '../console-part.ts'
import { PartFailed } from './part-failed.tsx'
import { PersonView } from './person-view.tsx'

/** The parameter `userId` says whose page it is: the folder is `[userId]`. */
export interface PersonPageProps extends ConsolePageProps {
  params: Promise<{ userId: string }>
  /** Parts that show something of the user, each with its address. */
  parts?: readonly (ConsolePart & { path: string })[]
}

/** One user: devices, ways to sign in, what waits, and what the operator may do. */
export async function PersonPage({ params, denied, path, loginPath, parts = [] }: PersonPageProps) {
  const { userId } = await params
  const list = path ?? consolePaths.people
  return (
    <RequirePermission
      permissions={['user:read']}
      returnTo={`${list}/${userId}`}
      {...(loginPath && { loginPath })}
      denied={denied}
    >
      <Found userId={userId} list={list} parts={parts} />
    </RequirePermission>
  )
}

interface Wanted {
  userId: string
  list: string
  parts: NonNullable<PersonPageProps['parts']>
}

async function Found(wanted: Wanted) {
  const session = await getSession()
  return session && <FoundFor {...wanted} session={session} />
}

async function FoundFor({ session, userId, list, parts }: Wanted & { session: AuthSession }) {
  const api = serverAuthApi()
  const isSuperadmin = session.roles.some(({ name }) => name === 'superadmin')
  const [user, roles] = await Promise.all([
    api.readUser.call({ params: { userId } }).catch(unlessUnknown),
    // Only superadmins are told which roles there are.
    isSuperadmin ? api.listRoles.call().then((answer) => answer.roles) : null,
  ])
  if (!user) notFound()
  const seen = parts.filter(({ needs }) => session.permissions.includes(needs))
  const further = await Promise.all(seen.map((part) => ofPart(part, user.userId)))
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
      further={further}
    />
  )
}

/** What a part shows of the user. One that fails takes nothing else of the page with it. */
async function ofPart(part: Wanted['parts'][number], userId: string) {
  const { name, title, label = title, ofPerson, path } = part
  try {
    return <Fragment key={name}>{await ofPerson?.({ userId, path })}</Fragment>
  } catch (error) {
    return <PartFailed key={name} title={label} code={partFailure(name, error)} />
  }
}

function unlessUnknown(error: unknown) {
  if (error instanceof UserNotFoundError) return null
  throw error
}
