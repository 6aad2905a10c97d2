import { notFound, redirect } from 'next/navigation.js'
import type { ReactNode } from 'react'
import { InvitationsPage } from '../account-pages/next.ts'
import { getSession, RequirePermission } from '../guards/guards.ts'
import type { AddressQuery } from './address-query.ts'
import { AuditPage } from './audit/audit-page.tsx'
import type { ConsolePageProps } from './console-page.ts'
import type { ConsolePart } from './console-part.ts'
import { JobPage } from './jobs/job-page.tsx'
import { JobsPage } from './jobs/jobs-page.tsx'
import { LimitsPage } from './limits/limits-page.tsx'
import { PeoplePage } from './people/people-page.tsx'
import { PersonPage } from './person/person-page.tsx'
import { ProgramsPage } from './programs/programs-page.tsx'
import { RolesPage } from './roles/roles-page.tsx'
import { ServerPage } from './server/server-page.tsx'
import { StreamsPage } from './streams/streams-page.tsx'

/** What Next gives the page, where the console is, and what a user without a permission sees. */
export interface ConsoleProps {
  /** What Next gives the page of `[[...console]]`. */
  params: Promise<{ console?: string[] }>
  searchParams: Promise<AddressQuery>
  /** Where the console is. `/admin` unless set. */
  path?: string
  /** Where users sign in. `/login` unless set. */
  loginPath?: string
  /** Shown to a user who lacks a permission, in place of the page. */
  denied?: (permission: string) => ReactNode
  /** Parts of other packages and of yours, after ours. Give them to `ConsoleLayout` too. */
  parts?: readonly ConsolePart[]
}

interface Given extends ConsolePageProps {
  searchParams: Promise<AddressQuery>
}

/** Our parts by their place below the console's. */
const ownParts: Record<
  string,
  { title: string; needs: string; page: (given: Given) => ReactNode }
> = {
  people: { title: 'People', needs: 'user:read', page: (given) => <PeoplePage {...given} /> },
  invitations: {
    title: 'Invitations',
    needs: 'user:read',
    page: (given) => <InvitationsPage {...given} />,
  },
  audit: { title: 'Audit', needs: 'audit:read', page: (given) => <AuditPage {...given} /> },
  live: { title: 'Streams', needs: 'stream:read', page: (given) => <StreamsPage {...given} /> },
  jobs: { title: 'Jobs', needs: 'job:read', page: (given) => <JobsPage {...given} /> },
  programs: { title: 'Programs', needs: 'user:read', page: (given) => <ProgramsPage {...given} /> },
  limits: { title: 'Limits', needs: 'server:read', page: (given) => <LimitsPage {...given} /> },
  server: { title: 'Server', needs: 'server:read', page: (given) => <ServerPage {...given} /> },
  roles: { title: 'Roles', needs: 'rbac:role:manage', page: (given) => <RolesPage {...given} /> },
}

/** The whole console, from one file: the page of `[[...console]]`. */
export async function Console({
  params,
  searchParams,
  path = '/admin',
  parts = [],
  ...rest
}: ConsoleProps) {
  const [name, ...ids] = (await params).console ?? []
  if (name === undefined) redirect(`${path}/${await firstPart(parts)}`)
  const own = Object.hasOwn(ownParts, name) ? ownParts[name] : undefined
  const part = own ?? parts.find((each) => each.name === name)
  if (!part) notFound()
  const address = `${path}/${name}`
  const given = {
    path: address,
    searchParams,
    ...(rest.loginPath && { loginPath: rest.loginPath }),
    denied: rest.denied?.(part.needs),
  }
  if (!own) return <FurtherPage {...given} part={part as ConsolePart} rest={ids} />
  const [id, ...more] = ids
  if (more.length > 0) notFound()
  if (id === undefined) return own.page(given)
  if (name === 'jobs') return <JobPage {...given} params={Promise.resolve({ jobId: id })} />
  if (name !== 'people') notFound()
  const further = parts.map((each) => ({ ...each, path: `${path}/${each.name}` }))
  return <PersonPage {...given} parts={further} params={Promise.resolve({ userId: id })} />
}

interface FurtherProps extends Given {
  path: string
  part: ConsolePart
  rest: readonly string[]
}

/** A part of another package does not have to guard itself. */
function FurtherPage({ part, path, rest, searchParams, loginPath, denied }: FurtherProps) {
  return (
    <RequirePermission
      permissions={[part.needs]}
      returnTo={[path, ...rest].join('/')}
      {...(loginPath && { loginPath })}
      denied={denied}
    >
      <Rendered page={() => part.page({ path, rest, searchParams })} />
    </RequirePermission>
  )
}

/** Called by React once the guard has let the visitor through, and not before. */
function Rendered({ page }: { page: () => ReactNode }) {
  return page()
}

/** Where a user begins: at the first part that they may see. */
async function firstPart(further: readonly ConsolePart[]) {
  const session = await getSession().catch(() => null)
  const all = [
    ...Object.entries(ownParts).map(([name, { needs }]) => ({ name, needs })),
    ...further,
  ]
  return all.find(({ needs }) => session?.permissions.includes(needs))?.name ?? 'people'
}

/** The title of the part that is shown: `generateMetadata` of the same file. */
export async function consoleMetadata({
  params,
  parts = [],
}: Pick<ConsoleProps, 'params' | 'parts'>): Promise<{ title?: string }> {
  const [name = 'people'] = (await params).console ?? []
  const part = Object.hasOwn(ownParts, name)
    ? ownParts[name]
    : parts.find((each) => each.name === name)
  return part ? { title: part.title } : {}
}
