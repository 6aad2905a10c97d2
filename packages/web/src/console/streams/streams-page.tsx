import { getSession, RequirePermission } from '../../guards/guards.ts'
import type { AddressQuery } from '../address-query.ts'
import { type ConsolePageProps, consolePaths, serverAuthApi } from '../console-page.ts'
import { StreamsView } from './streams-view.tsx'

/** The query says where the page of streams begins. */
export interface StreamsPageProps extends ConsolePageProps {
  searchParams: Promise<AddressQuery>
}

/** The open streams of all instances, and how to end one. */
export async function StreamsPage({ searchParams, denied, path, loginPath }: StreamsPageProps) {
  const { after } = await searchParams
  const place = path ?? consolePaths.streams
  return (
    <RequirePermission
      permissions={['stream:read']}
      returnTo={place}
      {...(loginPath && { loginPath })}
      denied={denied}
    >
      <Found
        after={typeof after === 'string' && /^[0-9a-z-]{1,40}$/.test(after) ? after : ''}
        path={place}
      />
    </RequirePermission>
  )
}

async function Found({ after, path }: { after: string; path: string }) {
  const [session, { data, meta }] = await Promise.all([
    getSession(),
    serverAuthApi().listStreams.call({ query: { ...(after && { after }) } }),
  ])
  return (
    <StreamsView
      streams={data}
      total={meta.total}
      next={meta.next}
      {...{ after, path }}
      mayEnd={session?.permissions.includes('stream:write') ?? false}
      renderedAt={Date.now()}
    />
  )
}
