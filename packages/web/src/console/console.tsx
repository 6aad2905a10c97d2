import { notFound, redirect } from 'next/navigation.js'
import type { ReactNode } from 'react'
import { InvitationsPage } from '../account-pages/next.ts'
import { getSession } from '../guards/guards.ts'
import type { AddressQuery } from './address-query.ts'
import { AuditPage } from './audit/audit-page.tsx'
import type { ConsolePageProps } from './console-page.ts'
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
}

interface Given extends ConsolePageProps {
  searchParams: Promise<AddressQuery>
}

/** The parts by their place below the console's. */
const parts: Record<string, { title: string; needs: string; page: (given: Given) => ReactNode }> = {
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
export async function Console({ params, searchParams, path = '/admin', ...rest }: ConsoleProps) {
  const [name, id, ...more] = (await params).console ?? []
  if (name === undefined) redirect(`${path}/${await firstPart()}`)
  const part = Object.hasOwn(parts, name) ? parts[name] : undefined
  if (!part || more.length > 0) notFound()
  const given = {
    path: `${path}/${name}`,
    searchParams,
    ...(rest.loginPath && { loginPath: rest.loginPath }),
    denied: rest.denied?.(part.needs),
  }
  if (id === undefined) return part.page(given)
  if (name === 'jobs') return <JobPage {...given} params={Promise.resolve({ jobId: id })} />
  if (name !== 'people') notFound()
  return <PersonPage {...given} params={Promise.resolve({ userId: id })} />
}

/** Where a user begins: at the first part that they may see. */
async function firstPart() {
  const session = await getSession().catch(() => null)
  const mayBeSeen = ({ needs }: { needs: string }) => session?.permissions.includes(needs)
  return Object.entries(parts).find(([, part]) => mayBeSeen(part))?.[0] ?? 'people'
}

/** The title of the part that is shown: `generateMetadata` of the same file. */
export async function consoleMetadata({
  params,
}: Pick<ConsoleProps, 'params'>): Promise<{ title?: string }> {
  const [name = 'people'] = (await params).console ?? []
  const title = Object.hasOwn(parts, name) ? parts[name]?.title : undefined
  return title === undefined ? {} : { title }
}
