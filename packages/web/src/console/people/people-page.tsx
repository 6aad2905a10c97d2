import { RequirePermission } from '../../guards/guards.ts'
import type { AddressQuery } from '../address-query.ts'
import { type ConsolePageProps, consolePaths, serverAuthApi } from '../console-page.ts'
import { listQuery, type PeopleQuery, readPeopleQuery } from './people-query.ts'
import { PeopleView } from './people-view.tsx'

/** The query has what is searched for, and where the page of users begins. */
export interface PeoplePageProps extends ConsolePageProps {
  searchParams: Promise<AddressQuery>
}

/** Finds users by a part of their address, name or number. */
export async function PeoplePage({ searchParams, denied, path, loginPath }: PeoplePageProps) {
  const query = readPeopleQuery(await searchParams)
  return (
    <RequirePermission
      permissions={['user:read']}
      returnTo={path ?? consolePaths.people}
      {...(loginPath && { loginPath })}
      denied={denied}
    >
      <Found query={query} path={path ?? consolePaths.people} />
    </RequirePermission>
  )
}

async function Found({ query, path }: { query: PeopleQuery; path: string }) {
  const { users, next } = await serverAuthApi().listUsers.call({ query: listQuery(query) })
  return <PeopleView {...{ users, next, query, path }} renderedAt={Date.now()} />
}
