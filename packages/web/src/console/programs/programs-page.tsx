import { getSession, RequirePermission } from '../../guards/guards.ts'
import type { AddressQuery } from '../address-query.ts'
import { type ConsolePageProps, consolePaths, serverAuthApi } from '../console-page.ts'
import { type ProgramsQuery, readProgramsQuery } from './programs-query.ts'
import { ProgramsView } from './programs-view.tsx'

/** The query says where the page of agents begins, and that of machines. */
export interface ProgramsPageProps extends ConsolePageProps {
  searchParams: Promise<AddressQuery>
}

/** The agents and the machines of all accounts, and how to end a machine’s key. */
export async function ProgramsPage({ searchParams, denied, path, loginPath }: ProgramsPageProps) {
  const place = path ?? consolePaths.programs
  return (
    <RequirePermission
      permissions={['user:read']}
      returnTo={place}
      {...(loginPath && { loginPath })}
      denied={denied}
    >
      <Found query={readProgramsQuery(await searchParams)} path={place} />
    </RequirePermission>
  )
}

async function Found({ query, path }: { query: ProgramsQuery; path: string }) {
  const api = serverAuthApi()
  const from = (after: string) => ({ query: { ...(after && { after }) } })
  const [session, agents, machines] = await Promise.all([
    getSession(),
    api.listAgents.call(from(query.agents)),
    api.listMachines.call(from(query.machines)),
  ])
  return (
    <ProgramsView
      {...{ agents, machines, query, path }}
      mayEnd={session?.permissions.includes('user:write') ?? false}
      ownId={session?.userId ?? ''}
      renderedAt={Date.now()}
    />
  )
}
