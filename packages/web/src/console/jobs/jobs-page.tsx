import { getSession, RequirePermission } from '../../guards/guards.ts'
import type { AddressQuery } from '../address-query.ts'
import { type ConsolePageProps, consolePaths, serverAuthApi } from '../console-page.ts'
import { type JobsQuery, jobsInput, readJobsQuery } from './jobs-query.ts'
import { JobsView } from './jobs-view.tsx'

/** The query has the filters, and where the page of jobs begins. */
export interface JobsPageProps extends ConsolePageProps {
  searchParams: Promise<AddressQuery>
}

/** The jobs of all instances: how many wait, which have failed and why, and another try. */
export async function JobsPage({ searchParams, denied, path, loginPath }: JobsPageProps) {
  const query = readJobsQuery(await searchParams)
  const place = path ?? consolePaths.jobs
  return (
    <RequirePermission
      permissions={['job:read']}
      returnTo={place}
      {...(loginPath && { loginPath })}
      denied={denied}
    >
      <Found query={query} path={place} />
    </RequirePermission>
  )
}

async function Found({ query, path }: { query: JobsQuery; path: string }) {
  const api = serverAuthApi()
  const [session, { queues }, { jobs, next }] = await Promise.all([
    getSession(),
    api.listJobQueues.call(),
    api.listJobs.call({ query: jobsInput(query) }),
  ])
  return (
    <JobsView
      {...{ queues, jobs, next, query, path }}
      mayChange={session?.permissions.includes('job:write') ?? false}
      renderedAt={Date.now()}
    />
  )
}
