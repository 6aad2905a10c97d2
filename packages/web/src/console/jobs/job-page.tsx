import { JobNotFoundError } from '@svc/auth'
import { notFound } from 'next/navigation.js'
import { getSession, RequirePermission } from '../../guards/guards.ts'
import { type ConsolePageProps, consolePaths, serverAuthApi } from '../console-page.ts'
import { JobView } from './job-view.tsx'

/** The parameter `jobId` says which job it is: the folder is `[jobId]`. */
export interface JobPageProps extends ConsolePageProps {
  params: Promise<{ jobId: string }>
}

/** One job: what became of it, the stack of its error, and what it was given. */
export async function JobPage({ params, denied, path, loginPath }: JobPageProps) {
  const { jobId } = await params
  const list = path ?? consolePaths.jobs
  return (
    <RequirePermission
      permissions={['job:read']}
      returnTo={`${list}/${jobId}`}
      {...(loginPath && { loginPath })}
      denied={denied}
    >
      <Found jobId={jobId} list={list} />
    </RequirePermission>
  )
}

async function Found({ jobId, list }: { jobId: string; list: string }) {
  // The API would refuse it as no id at all.
  if (!/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(jobId)) notFound()
  const [session, job] = await Promise.all([
    getSession(),
    serverAuthApi().readJob.call({ params: { jobId } }).catch(unlessUnknown),
  ])
  if (!job) notFound()
  return (
    <JobView
      {...{ job, list }}
      mayChange={session?.permissions.includes('job:write') ?? false}
      renderedAt={Date.now()}
    />
  )
}

function unlessUnknown(error: unknown) {
  if (error instanceof JobNotFoundError) return null
  throw error
}
